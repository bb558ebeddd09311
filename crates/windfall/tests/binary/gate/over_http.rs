//! The gate as a page meets it.
