use super::*;
use proptest::prelude::*;
use serde_json::json;

/// The right result of a job.
fn truth(id: u64) -> Value {
    json!({ "games": id * 3 })
}

fn with_job(is_checked: bool, is_repeatable: bool) -> Outstanding<u64> {
    let mut jobs = Outstanding::new();
    jobs.add(1, 1, is_checked, is_repeatable);
    assert_eq!(jobs.issue(1), Some((0, None, 1)));
    jobs
}

#[test]
fn a_result_is_read_once_and_compared_with_later_ones() {
    let mut jobs = with_job(false, true);
    assert_eq!(jobs.arrive(1, 0, "a", truth(1)), Arrival::Read(1, truth(1)));
    assert_eq!(jobs.arrive(1, 0, "b", truth(1)), Arrival::Nothing);
    assert_eq!(jobs.issue(1), None, "nobody else need play it");
    jobs.accepted(1);
    assert_eq!((jobs.len(), jobs.unchecked("a")), (0, 1));
    assert_eq!(jobs.arrive(1, 0, "b", truth(1)), Arrival::Nothing);
    let claims = [ResultClaim::new("a", &truth(1)), ResultClaim::new("c", &json!(0))];
    assert_eq!(jobs.arrive(1, 0, "c", json!(0)), Arrival::Judge(1, claims.clone()));
    let judgement = jobs.judge(1, digest_of(&truth(1)), &claims);
    let expected = Judgement { wrong: vec!["c".into()], task: None, is_counted: false };
    assert_eq!(judgement, expected);
    assert!(jobs.reason("c").is_some() && jobs.reason("a").is_none());
    assert_eq!(jobs.arrive(1, 0, "c", truth(1)), Arrival::Nothing);
}

#[test]
fn a_wrong_result_that_was_counted_is_known_for_it() {
    let mut jobs = with_job(false, true);
    assert!(matches!(jobs.arrive(1, 0, "liar", json!(0)), Arrival::Read(..)));
    jobs.accepted(1);
    let Arrival::Judge(_, claims) = jobs.arrive(1, 0, "b", truth(1)) else { panic!() };
    let judgement = jobs.judge(1, digest_of(&truth(1)), &claims);
    assert_eq!((judgement.wrong, judgement.is_counted), (vec!["liar".to_owned()], true));
    jobs.add(2, 2, false, true);
    assert!(matches!(jobs.arrive(2, 0, "liar", truth(2)), Arrival::Refused(_)));
    assert!(matches!(jobs.arrive(2, 0, "b", truth(2)), Arrival::Read(..)));
}

#[test]
fn a_job_that_is_played_twice_waits_for_both() {
    let mut jobs = with_job(true, true);
    assert_eq!(jobs.arrive(1, 0, "a", truth(1)), Arrival::Repeat);
    assert_eq!(jobs.arrive(1, 0, "a", truth(1)), Arrival::Nothing, "the same again");
    assert_eq!(jobs.issue(1), Some((1, Some("a".into()), 2)));
    assert_eq!(jobs.arrive(1, 1, "b", truth(1)), Arrival::Read(1, truth(1)));
    jobs.accepted(1);
    assert_eq!([jobs.unchecked("a"), jobs.unchecked("b")], [0, 0]);
    let mut jobs = with_job(true, true);
    assert_eq!(jobs.arrive(1, 0, "a", json!(0)), Arrival::Repeat);
    let Arrival::Judge(_, claims) = jobs.arrive(1, 1, "b", truth(1)) else { panic!() };
    assert_eq!(jobs.arrive(1, 0, "d", truth(1)), Arrival::Nothing, "it is being judged");
    let judgement = jobs.judge(1, digest_of(&truth(1)), &claims);
    let expected = Judgement { wrong: vec!["a".into()], task: Some(1), is_counted: false };
    assert_eq!((judgement, jobs.len()), (expected, 0));
    let mut timed = with_job(true, false);
    assert!(matches!(timed.arrive(1, 0, "a", truth(1)), Arrival::Read(..)));
    assert_eq!(timed.arrive(1, 0, "b", json!(0)), Arrival::Nothing, "times differ");
}

#[test]
fn a_result_that_cannot_be_read_sends_the_job_out_again() {
    let mut jobs = with_job(false, true);
    assert!(matches!(jobs.arrive(1, 0, "a", json!(0)), Arrival::Read(..)));
    assert!(jobs.rejected(1, "a", "illegal move"));
    assert_eq!((jobs.reason("a"), jobs.awaited()), (Some("illegal move"), vec![1]));
    assert_eq!(jobs.issue(1), Some((0, None, 2)));
    assert!(matches!(jobs.arrive(1, 0, "a", truth(1)), Arrival::Refused(_)));
    assert_eq!(jobs.fail(1), 1);
    assert_eq!((jobs.play_here(1), jobs.play_here(1)), (Some(1), None));
    assert_eq!(jobs.judge(1, 5, &[]).task, Some(1));
    assert_eq!(jobs.fail(1), 0);
}

#[test]
fn only_the_last_jobs_are_remembered() {
    let mut jobs = Outstanding::new();
    for id in 0..REMEMBERED as u64 + 10 {
        jobs.add(id, id, false, true);
        jobs.arrive(id, 0, "a", truth(id));
        jobs.accepted(id);
    }
    assert_eq!((jobs.done.len(), jobs.done_order.len()), (REMEMBERED, REMEMBERED));
    assert_eq!(jobs.arrive(9, 0, "b", json!(0)), Arrival::Nothing);
}

proptest! {
    /// Every job is done once, with the right result if it was played twice, and no honest worker
    /// is blamed, in whatever order results come.
    #[test]
    fn every_job_is_done_once(
        events in prop::collection::vec((0..12u64, 0..5usize, 0..2u8, any::<bool>()), 0..300),
    ) {
        // The last two give wrong results now and then.
        let workers = ["a", "b", "c", "liar", "cheat"];
        let mut jobs = Outstanding::new();
        let mut delivered: HashMap<u64, Vec<Value>> = HashMap::new();
        (0..12).for_each(|id| jobs.add(id, id, id % 2 == 0, true));
        for (id, who, copy, honest) in events {
            jobs.issue(id);
            let result = if honest || who < 3 { truth(id) } else { json!(who) };
            match jobs.arrive(id, copy, workers[who], result) {
                Arrival::Read(task, result) => {
                    prop_assert_eq!(task, id);
                    if result.is_object() || honest {
                        delivered.entry(id).or_default().push(result);
                        jobs.accepted(id);
                    } else {
                        prop_assert!(jobs.rejected(id, workers[who], "nonsense"));
                    }
                }
                Arrival::Judge(_, claims) => {
                    let judgement = jobs.judge(id, digest_of(&truth(id)), &claims);
                    prop_assert!(!judgement.is_counted);
                    if judgement.task.is_some() {
                        delivered.entry(id).or_default().push(truth(id));
                    }
                }
                Arrival::Nothing | Arrival::Refused(_) | Arrival::Repeat => {}
            }
        }
        for (id, results) in &delivered {
            prop_assert_eq!(results, &vec![truth(*id)]);
            prop_assert!(!jobs.is_open(*id));
        }
        prop_assert_eq!(delivered.len() + jobs.len(), 12);
        prop_assert!(workers[..3].iter().all(|worker| jobs.reason(worker).is_none()));
    }
}
