//! Who may do what: every endpoint × every kind of caller.

mod audit_walk;
mod body;
mod caller;
mod request;
mod suite;
mod table;

/// Requests that change something and are open to staff or to keys that administer.
pub fn administrative() -> Vec<table::Row> {
    let staff = |row: &table::Row| {
        row.cells.iter().any(|(who, status)| {
            let may = matches!(who, caller::Caller::Staff("operator" | "admin")) && *status < 300;
            may && !row.open_to_players()
        })
    };
    table::rows().into_iter().filter(|row| row.method != "GET" && staff(row)).collect()
}
