//! steadfetch
