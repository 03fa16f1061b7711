//! Temporary stand-in while the real module is built.
#![allow(missing_docs)]
use crate::error::{Error, Result};
use std::collections::BTreeMap;
#[derive(Clone, Copy, Debug)]
pub struct FeatureShape {
    pub name: &'static str,
    pub table: Option<usize>,
}
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Weight {
    One(i32),
    Table(Vec<i32>),
}
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct WeightSet {
    pub name: String,
    pub scale: i32,
    pub weights: BTreeMap<String, Weight>,
}
impl WeightSet {
    pub fn check(&self, _p: &str, _g: &str, _f: &[FeatureShape]) -> Result<()> {
        Ok(())
    }
    pub fn from_json(t: &str, p: &str) -> Result<Self> {
        serde_json::from_str(t).map_err(|e| Error::input(p, e))
    }
}
