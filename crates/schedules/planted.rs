//! Mistakes planted on purpose, each an edit of the real source that somebody could make, with the scenario that must
//! find it. If one stayed unnoticed, the scenarios' silence about the real thing would mean nothing.
//!
//! An edit whose text is no longer in the source, or is there twice, fails the build: a fault cannot rot unnoticed.

pub struct Fault {
    /// The name of the module it makes.
    pub name: &'static str,
    /// The file of `crates/embedded/src/ledger` it is planted in.
    pub file: &'static str,
    /// What is there, and what is there instead.
    pub edits: &'static [(&'static str, &'static str)],
    pub scenario: &'static str,
}

pub const FAULTS: &[Fault] = &[
    // The queue.
    Fault {
        name: "a_push_wakes_nobody",
        file: "queue",
        edits: &[("if state.asleep && !state.may_sleep() {", "if false {")],
        scenario: "queueing::a_nudge_and_a_close_wake",
    },
    Fault {
        name: "a_sleeper_leaves_no_mark",
        file: "queue",
        edits: &[("state.asleep = state.may_sleep();\n                state.asleep", "state.may_sleep()")],
        scenario: "queueing::a_nudge_and_a_close_wake",
    },
    Fault {
        name: "the_end_of_a_commit_wakes_nobody",
        file: "queue",
        edits: &[(
            "state.committing = committing;\n        self.wake(state);",
            "state.committing = committing;",
        )],
        scenario: "queueing::a_nudge_and_a_close_wake",
    },
    Fault {
        name: "a_nudge_wakes_nobody",
        file: "queue",
        edits: &[("nudged = true;\n        self.filled.notify_one();", "nudged = true;")],
        scenario: "queueing::a_nudge_and_a_close_wake",
    },
    Fault {
        name: "a_close_wakes_nobody",
        file: "queue",
        edits: &[("self.filled.notify_all();", "")],
        scenario: "queueing::nothing_pushed_is_lost",
    },
    Fault {
        name: "a_close_ends_no_rest",
        file: "queue",
        edits: &[("self.ended.notify_all();", "")],
        scenario: "queueing::a_nudge_and_a_close_wake",
    },
    Fault {
        name: "a_close_drops_what_is_there",
        file: "queue",
        edits: &[("if state.waiting == 0 {\n", "if state.waiting == 0 || state.closed {\n")],
        scenario: "queueing::nothing_pushed_is_lost",
    },
    Fault {
        name: "a_close_leaves_callers_in_silence",
        file: "queue",
        edits: &[("if state.waiting == 0 {\n", "if state.waiting == 0 || state.closed {\n")],
        scenario: "serving::everybody_hears_one_thing",
    },
    Fault {
        name: "room_is_looked_for_under_another_lock",
        file: "queue",
        edits: &[(
            "let line = state.lanes.entry",
            "drop(state);\n        state = self.lock();\n        let line = state.lanes.entry",
        )],
        scenario: "queueing::a_full_queue_answers_at_once",
    },
    Fault {
        name: "the_last_come_is_taken_first",
        file: "queue",
        edits: &[("line.items.pop_front()", "line.items.pop_back()")],
        scenario: "queueing::nothing_pushed_is_lost",
    },
    Fault {
        name: "a_commit_is_never_over",
        file: "committer",
        edits: &[("queue.committing(false);", "queue.committing(true);")],
        scenario: "serving::everybody_hears_one_thing",
    },
    // The decider.
    Fault {
        name: "answers_leave_before_the_commit",
        file: "decider",
        edits: &[("if at_once {", "if at_once || !answered.answers.is_empty() {")],
        scenario: "serving::everybody_hears_one_thing",
    },
    Fault {
        name: "what_is_seen_leaves_before_the_commit",
        file: "decider",
        edits: &[("if core.all_durable() {", "if core.all_durable() || core.durable() > 0 {")],
        scenario: "serving::what_is_told_is_on_disk",
    },
    Fault {
        // It was so once: the mark set while the decider waited for requests went unseen for one more block.
        name: "a_failure_is_looked_for_before_taking",
        file: "decider",
        edits: &[
            (
                "let taken = self.shared.queue.take(pace.block_max",
                "let failed_era = self.shared.failed_era.load(Ordering::Acquire);\n            let taken = self.shared.queue.take(pace.block_max",
            ),
            (
                "if self.shared.failed_era.load(Ordering::Acquire) >= self.era {",
                "if failed_era >= self.era {",
            ),
        ],
        scenario: "serving::nobody_is_answered_from_memory_that_is_to_go",
    },
    Fault {
        name: "silence_while_starting_over",
        file: "decider",
        edits: &[(
            "reply.send(Err(NoAnswer::Unavailable));",
            "(NoAnswer::Unavailable, std::mem::forget(reply));",
        )],
        scenario: "serving::what_is_told_is_on_disk",
    },
    Fault {
        name: "a_close_while_starting_over_is_not_seen",
        file: "decider",
        edits: &[("Taken::Over => return None,", "Taken::Over => {}")],
        scenario: "serving::a_close_ends_a_ledger_that_cannot_start_over",
    },
    Fault {
        name: "memory_is_kept_after_a_failure",
        file: "decider",
        edits: &[(
            "core = match self.start_over() {\n                    Some(core) => core,\n                    None => return,\n                };",
            "self.era += 1;",
        )],
        scenario: "serving::nobody_is_answered_from_memory_that_is_to_go",
    },
    Fault {
        name: "refusals_leave_after_the_lease",
        file: "decider",
        edits: &[(
            "reply.send(if self.log.is_led() { Ok(answered) } else { Err(NoAnswer::Unavailable) });",
            "reply.send(Ok(answered));",
        )],
        scenario: "serving::nothing_is_told_after_the_lease",
    },
    Fault {
        name: "looks_leave_after_the_lease",
        file: "decider",
        edits: &[("if self.log.is_led() {\n            tell();", "if true {\n            tell();")],
        scenario: "serving::nothing_is_told_after_the_lease",
    },
    // The committer.
    Fault {
        name: "a_block_is_told_after_the_lease",
        file: "committer",
        edits: &[("if !self.log.is_led() {", "if false {")],
        scenario: "serving::nothing_is_told_after_the_lease",
    },
    Fault {
        name: "a_writer_that_claimed_is_not_handed_on",
        file: "committer",
        edits: &[("if let Some(journal) = sealed.journal.take() {", "if let Some(journal) = None {")],
        scenario: "serving::it_goes_on_after_failures",
    },
    Fault {
        name: "answers_leave_before_the_mark",
        file: "committer",
        edits: &[(
            "self.shared.failed_era.store(era, Ordering::Release);\n        ready.into_iter().for_each(Sealed::lost);",
            "ready.into_iter().for_each(Sealed::lost);\n        self.shared.failed_era.store(era, Ordering::Release);",
        )],
        scenario: "serving::nobody_is_answered_from_memory_that_is_to_go",
    },
    Fault {
        name: "a_failure_wakes_nobody",
        file: "committer",
        edits: &[("self.shared.queue.nudge();", "")],
        scenario: "serving::a_failure_is_over_without_a_request",
    },
    Fault {
        name: "later_answers_are_kept_after_a_failure",
        file: "committer",
        edits: &[("if sealed.era <= failed_era", "if sealed.era < failed_era")],
        scenario: "serving::it_goes_on_after_failures",
    },
    Fault {
        name: "a_failed_commit_is_told_as_done",
        file: "committer",
        edits: &[("Err(error) => self.failed(ready, &error),", "Err(_) => self.tell(ready),")],
        scenario: "serving::what_is_told_is_on_disk",
    },
    Fault {
        name: "only_the_first_of_several_blocks_is_written",
        file: "committer",
        edits: &[("self.append(&blocks)?;", "self.append(&blocks[..1])?;")],
        scenario: "serving::what_is_told_is_on_disk",
    },
    Fault {
        name: "a_lost_block_tells_nobody",
        file: "writer",
        edits: &[("reply.send(Err(NoAnswer::Unknown));", "std::mem::forget(reply);")],
        scenario: "serving::what_is_told_is_on_disk",
    },
];
