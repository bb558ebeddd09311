//! Every metric, in the order of the manual.

use domain::Rejection;
use domain::grants::GrantRefusal;
use domain::sale::{OrderState, PaymentState};
use engine::jobs::JOBS;
use store::model::AttemptOutcome;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    Counter,
    Gauge,
    /// With quantiles.
    Summary,
}

type Values = fn() -> Vec<&'static str>;

/// The labels of a metric, and the values they can have.
#[derive(Clone, Copy, Debug)]
pub enum Labels {
    None,
    One(&'static str, Values),
    Two((&'static str, Values), (&'static str, Values)),
    /// Routes: more than anybody would look at before they are asked for.
    AtFirstUse,
}

#[derive(Clone, Copy, Debug)]
pub struct Metric {
    pub name: &'static str,
    pub kind: MetricKind,
    pub help: &'static str,
    pub labels: Labels,
}

const fn counter(name: &'static str, help: &'static str, labels: Labels) -> Metric {
    Metric { name, kind: MetricKind::Counter, help, labels }
}

const fn gauge(name: &'static str, help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, help, labels: Labels::None }
}

const fn summary(name: &'static str, help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Summary, help, labels: Labels::None }
}

pub const METRICS: &[Metric] = &[
    counter(
        "windfall_http_requests_total",
        "Requests answered, by method, route and status",
        Labels::AtFirstUse,
    ),
    summary("windfall_http_request_seconds", "Time to answer a request, by route and outcome"),
    gauge("windfall_http_connections", "Open connections"),
    counter(
        "windfall_connections_refused_total",
        "Connections closed at once because their address had reached its maximum",
        Labels::None,
    ),
    counter("windfall_rejections_total", "Rejections by code", Labels::One("code", rejections)),
    counter(
        "windfall_faults_total",
        "Requests that ended in a fault; each is in the log with its causes",
        Labels::None,
    ),
    counter(
        "windfall_job_runs_total",
        "Runs of jobs by outcome",
        Labels::Two(("job", jobs), ("outcome", outcomes)),
    ),
    counter("windfall_log_lines_lost_total", "Lines of the log that could not be written", Labels::None),
    gauge("windfall_store_queue_jobs", "Writes left waiting for the database after a batch was taken"),
    summary("windfall_store_batch_jobs", "Writes per commit of the database"),
    summary("windfall_store_commit_seconds", "Time of a commit of the database, including its steps"),
    gauge("windfall_store_log_bytes", "Size of the database's write-ahead log in bytes"),
    counter(
        "windfall_ledger_accepted_total",
        "Commands the ledger accepted",
        Labels::One("command", commands),
    ),
    counter(
        "windfall_ledger_refusals_total",
        "Commands the ledger refused, by reason",
        Labels::One("reason", refusals),
    ),
    gauge("windfall_ledger_queue_waiting", "Requests left waiting for the ledger after a block was taken"),
    gauge("windfall_ledger_open_holds", "Holds that are neither confirmed nor cancelled nor expired"),
    gauge("windfall_ledger_expiry_lag_seconds", "How overdue the oldest open hold is"),
    gauge("windfall_ledger_pause_seconds", "Pause before each block because the database is behind"),
    summary("windfall_journal_commit_seconds", "Time of a commit of the journal"),
    summary("windfall_journal_block_events", "Events per commit of the journal"),
    counter("windfall_journal_failures_total", "Commits of the journal that failed", Labels::None),
    gauge("windfall_projection_lag_events", "Events that are durable and not yet in the database"),
    counter("windfall_projection_batches_total", "Batches of events written to the database", Labels::None),
    counter(
        "windfall_projection_failures_total",
        "Batches of events that could not be written to the database",
        Labels::None,
    ),
    gauge("windfall_ledger_differences", "Rows of the database that differ from the ledger"),
    counter("windfall_ledger_audited_total", "Rows compared by the audit", Labels::One("what", audit_parts)),
    summary("windfall_ledger_audit_pass_seconds", "Time of a complete audit"),
    gauge("windfall_ledger_audit_last_pass_timestamp_seconds", "When the last complete audit ended"),
    gauge("windfall_ledger_hold_age_seconds", "Age of the oldest open hold"),
    gauge("windfall_ledger_conservation_error_units", "Units by which counters of the database are wrong"),
    gauge("windfall_clock_behind_seconds", "By how much the clock is behind the ledger's time"),
    counter(
        "windfall_clock_jumps_total",
        "Jumps of the clock of more than five seconds",
        Labels::One("way", clock_ways),
    ),
    counter(
        "windfall_clock_put_back_total",
        "How often the ledger followed a clock back after it had been ahead",
        Labels::None,
    ),
    gauge("windfall_cluster_leads", "1 on the node of a cluster that leads"),
    gauge("windfall_cluster_follows", "1 on a node of a cluster that does not lead"),
    counter(
        "windfall_ledger_audit_given_up_total",
        "Slices of the audit that were given up and are tried again",
        Labels::None,
    ),
    counter("windfall_ledger_corrections_total", "Differences that were corrected", Labels::None),
    counter("windfall_activities_stuck_total", "Failed attempts to move an activity on", Labels::None),
    counter(
        "windfall_raffles_stuck_total",
        "Rolls or drawings of raffles that could not be made yet",
        Labels::None,
    ),
    counter("windfall_low_stock_total", "Prizes and sales that fell below their threshold", Labels::None),
    gauge("windfall_outbox_waiting", "Waiting messages by lane"),
    gauge("windfall_outbox_age_seconds", "How long ago the oldest message of a lane became due"),
    gauge("windfall_outbox_unattended", "Messages in a lane that nothing processes"),
    counter(
        "windfall_relay_messages_total",
        "Messages processed, by lane and result",
        Labels::Two(("lane", lanes), ("came", came)),
    ),
    counter("windfall_grants_total", "Grants made by rule", Labels::One("gives", grant_kinds)),
    counter(
        "windfall_grants_passed_total",
        "Rules that gave nothing for a behaviour",
        Labels::One("why", grant_refusals),
    ),
    counter("windfall_shop_orders_total", "Orders of the shop", Labels::One("came", shop_orders)),
    counter("windfall_attempts_total", "Attempts to buy that were accepted", Labels::None),
    counter(
        "windfall_attempts_decided_total",
        "Results of attempts to buy",
        Labels::One("came", attempt_results),
    ),
    gauge("windfall_attempts_waiting", "Attempts to buy that are waiting for the ledger's decision"),
    gauge("windfall_room_waiting", "People in all waiting rooms"),
    gauge("windfall_room_inside", "People who were admitted and have not used their turn"),
    counter(
        "windfall_orders_total",
        "Orders of sales by the state they entered",
        Labels::One("came", orders),
    ),
    counter("windfall_payments_total", "Payments by the state they entered", Labels::One("came", payments)),
    counter("windfall_refunds_total", "Refunded payments", Labels::None),
    counter(
        "windfall_low_codes_total",
        "Pools of redeem codes that fell below their threshold",
        Labels::None,
    ),
    counter("windfall_webhook_attempts_total", "Deliveries attempted, by result", Labels::One("came", came)),
    summary("windfall_webhook_attempt_seconds", "Time of a delivery, including the response"),
    counter(
        "windfall_webhooks_off_total",
        "Webhooks switched off after days with failures only",
        Labels::None,
    ),
    counter("windfall_codes_sent_total", "Sign-in codes sent", Labels::None),
    counter("windfall_codes_not_sent_total", "Sign-in codes not sent", Labels::One("why", code_refusals)),
    gauge(
        "windfall_backup_last_success_timestamp_seconds",
        "When the newest backup was made; 0 if there is none",
    ),
    counter("windfall_backup_failures_total", "Backups that failed", Labels::None),
    gauge("windfall_standby_lag_seconds", "For how long the standby has been behind; 0 if it is up to date"),
    gauge("windfall_standby_seq", "The last event of the ledger that the standby has"),
    counter(
        "windfall_standby_failures_total",
        "Failed copies to the standby",
        Labels::One("file", standby_files),
    ),
    gauge("windfall_quarantined_messages", "Messages to others in quarantine after a restore"),
    gauge("windfall_quarantined_code_pools", "Pools of redeem codes in quarantine after a restore"),
    gauge("windfall_attention", "What needs an operator, by how soon, as the job `attention` last found it"),
    gauge("windfall_disk_free_bytes", "Free space where a folder of Windfall is"),
    gauge("windfall_disk_bytes", "Total space where a folder of Windfall is"),
    gauge("windfall_file_bytes", "Sizes of the database, the journal and their logs"),
    gauge("process_resident_memory_bytes", "Memory of the process"),
    gauge("process_open_fds", "Files and connections the process has open"),
    gauge("process_max_fds", "Files and connections the process may have open"),
    gauge("process_threads", "Threads of the process"),
    gauge("process_start_time_seconds", "When the process was started"),
    counter("process_cpu_seconds_total", "Processor time of the process, in whole seconds", Labels::None),
];

fn rejections() -> Vec<&'static str> {
    Rejection::CODES.to_vec()
}

fn jobs() -> Vec<&'static str> {
    JOBS.iter().map(|job| job.name).collect()
}

fn outcomes() -> Vec<&'static str> {
    use domain::job::RunOutcome;
    [RunOutcome::Done, RunOutcome::More, RunOutcome::Failed].map(RunOutcome::name).to_vec()
}

fn commands() -> Vec<&'static str> {
    ledger::tally::COMMANDS.to_vec()
}

/// Those an operator looks at; the others appear when somebody meets them.
fn refusals() -> Vec<&'static str> {
    vec!["sold_out", "limit_reached", "conflict", "expired", "hold_unknown", "chances_spent"]
}

fn audit_parts() -> Vec<&'static str> {
    vec!["rounds", "owners", "holds", "round_rows", "hold_rows", "order_rows"]
}

fn clock_ways() -> Vec<&'static str> {
    vec!["ahead", "back"]
}

fn code_refusals() -> Vec<&'static str> {
    vec!["site_cap", "daily_cap", "country"]
}

fn lanes() -> Vec<&'static str> {
    engine::relay::handlers().iter().map(|handler| handler.name()).collect()
}

fn came() -> Vec<&'static str> {
    AttemptOutcome::ALL.map(AttemptOutcome::name).to_vec()
}

fn grant_kinds() -> Vec<&'static str> {
    vec!["chances", "points"]
}

fn grant_refusals() -> Vec<&'static str> {
    GrantRefusal::ALL.map(GrantRefusal::name).to_vec()
}

fn shop_orders() -> Vec<&'static str> {
    vec!["placed", "replayed", "refused", "done", "reversed"]
}

fn attempt_results() -> Vec<&'static str> {
    vec!["ordered", "refused"]
}

fn orders() -> Vec<&'static str> {
    OrderState::ALL.map(OrderState::name).to_vec()
}

fn payments() -> Vec<&'static str> {
    PaymentState::ALL.map(PaymentState::name).to_vec()
}

fn standby_files() -> Vec<&'static str> {
    vec!["database", "journal"]
}
