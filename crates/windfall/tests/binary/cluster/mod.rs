//! Several nodes on one PostgreSQL, each a process of its own, asked over HTTP by clients that know no leader.

mod fixtures;
mod kill;
mod leading;
mod settings;
