//! Connections: how many there are, and how long each may take over a request.

use super::limits::{
    CONNECTIONS, CROWDED_HEAD_TIME, FEW_FREE, HEAD_BYTES, HEAD_TIME, HEADERS, UNREAD_TIME,
};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

/// The wait after a connection could not be accepted, for example for lack of file descriptors.
const ACCEPT_AGAIN: Duration = Duration::from_millis(200);

/// Accepts and answers connections until the server ends.
pub(super) async fn accept(listener: TcpListener, app: Router) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let app = app.clone();
                let is_crowded = places.available_permits() < FEW_FREE;
                let head_time = if is_crowded { CROWDED_HEAD_TIME } else { HEAD_TIME };
                tokio::spawn(async move {
                    answer(stream, app, head_time).await;
                    drop(place);
                });
            }
            Err(_) => tokio::time::sleep(ACCEPT_AGAIN).await,
        }
    }
}

async fn answer(stream: TcpStream, app: Router, head_time: Duration) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(UNREAD_TIME));
    let mut protocol = http1::Builder::new();
    protocol
        .timer(TokioTimer::new())
        .header_read_timeout(head_time)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS);
    let io = TokioIo::new(Box::pin(stream));
    // One client's error or disconnection concerns no other client.
    let _ = protocol.serve_connection(io, TowerToHyperService::new(app)).await;
}
