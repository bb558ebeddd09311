//! Mistakes planted on purpose, each an edit of the real source that somebody could make. The scenarios must find every
//! one; if they did not, their silence about the real thing would mean nothing.
//!
//! An edit whose text is no longer in the source, or is there twice, fails the build: a fault cannot rot unnoticed.

pub struct Fault {
    /// The name of the module it makes.
    pub name: &'static str,
    /// The file of `crates/embedded/src/ledger` it is planted in.
    pub file: &'static str,
    pub from: &'static str,
    pub to: &'static str,
}

pub const FAULTS: &[Fault] = &[
    // The queue.
    Fault {
        name: "a_push_wakes_nobody",
        file: "queue",
        from: "drop(state);\n        self.filled.notify_one();",
        to: "drop(state);",
    },
    Fault {
        name: "a_nudge_wakes_nobody",
        file: "queue",
        from: "self.lock().nudged = true;\n        self.filled.notify_one();",
        to: "self.lock().nudged = true;",
    },
    Fault { name: "a_close_wakes_nobody", file: "queue", from: "self.filled.notify_all();", to: "" },
    Fault { name: "a_close_wakes_no_rest", file: "queue", from: "self.ended.notify_all();", to: "" },
    Fault {
        name: "a_close_drops_what_is_there",
        file: "queue",
        from: "if state.waiting == 0 {\n",
        to: "if state.waiting == 0 || state.closed {\n",
    },
    Fault {
        name: "room_is_checked_under_another_lock",
        file: "queue",
        from: "let line = state.lanes.entry",
        to: "drop(state);\n        let mut state = self.lock();\n        let line = state.lanes.entry",
    },
    Fault {
        name: "the_last_come_is_taken_first",
        file: "queue",
        from: "line.items.pop_front()",
        to: "line.items.pop_back()",
    },
    // The decider.
    Fault {
        name: "answers_leave_before_the_commit",
        file: "decider",
        from: "if at_once {",
        to: "if at_once || !answers.is_empty() {",
    },
    Fault {
        name: "a_failure_is_looked_for_before_taking",
        file: "decider",
        from: "let taken = self.shared.queue.take(pace.block_max, self.patience(&core));",
        to: "let failed = self.shared.failed_era.load(Ordering::Acquire);
            let taken = self.shared.queue.take(pace.block_max, self.patience(&core));
            if failed < self.era && self.shared.failed_era.load(Ordering::Acquire) >= self.era {
                let jobs = if let Taken::Some(jobs) = taken { jobs } else { Vec::new() };
                let waiting = self.decide(&mut core, jobs);
                let _ = self.sealed.send(Sealed { era: self.era, block: core.take_block(), waiting });
                continue;
            }",
    },
    Fault {
        name: "silence_while_starting_over",
        file: "decider",
        from: "let _ = job.reply.send(Err(NoAnswer::Unavailable));",
        to: "std::mem::forget(job.reply);",
    },
    Fault {
        name: "memory_is_kept_after_a_failure",
        file: "decider",
        from: "core = match self.start_over() {\n                    Some(core) => core,\n                    None => return,\n                };",
        to: "self.era += 1;",
    },
    // The committer.
    Fault {
        name: "answers_leave_before_the_mark",
        file: "committer",
        from: "self.shared.failed_era.store(sealed.era, Ordering::Release);\n        sealed.lost();",
        to: "let era = sealed.era;\n        sealed.lost();\n        self.shared.failed_era.store(era, Ordering::Release);",
    },
    Fault {
        name: "later_blocks_are_kept_after_a_failure",
        file: "committer",
        from: "if sealed.era <= self.shared.failed_era.load(Ordering::Acquire) {",
        to: "if sealed.era < self.shared.failed_era.load(Ordering::Acquire) {",
    },
    Fault {
        name: "a_failed_commit_is_told_as_done",
        file: "committer",
        from: "Err(error) => self.failed(sealed, &error),",
        to: "Err(_) => sealed.told(),",
    },
    Fault {
        name: "a_lost_block_tells_nobody",
        file: "writer",
        from: "let _ = waiting.reply.send(Err(NoAnswer::Unknown));",
        to: "std::mem::forget(waiting.reply);",
    },
];
