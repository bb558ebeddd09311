//! Stock through the API: what a company's backend meets, step by step.

mod batch;
mod holds;
mod pools;
mod stream;
