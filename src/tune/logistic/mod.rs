//! Tuning by logistic regression on self-play positions (the "Texel" method): weights under which the value of a
//! position foretells the result of the game.

pub mod columns;
pub mod fit;
pub mod generate;
pub mod pass;
pub mod samples;
