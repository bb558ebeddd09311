//! What one person may keep, and running the place.

use super::Row;
use crate::Rejection;

rows! { running:
    AddressBookFull { max: u32 } = "address_book_full",
        "An address book holds {max} entries at most.", "地址簿最多保存 {max} 条。";
    FactsFull { max: u32 } = "facts_full",
        "A user may have {max} facts at most.", "每个用户最多 {max} 条属性。";
    FactReserved { name: String } = "fact_reserved",
        "The name {name} is reserved by Windfall and cannot be set.", "属性名 {name} 由系统保留，不能设置。";
    SelfBan = "self_ban", "You cannot ban yourself.", "不能封禁自己。";
    LastAdmin = "last_admin",
        "Nobody would have the role admin any more.", "此操作会使系统没有管理员。";
    /// Written on top of a version that is not the newest any more.
    VersionStale { newest: u32 } = "version_stale",
        "Version {newest} was saved in the meantime. Read it, then save your changes on top of it.",
        "期间已保存第 {newest} 版，请查看后在其基础上保存。";
    BlockListFull { max: u32 } = "block_list_full",
        "A block list holds {max} users at most.", "黑名单最多 {max} 人。";
    AlreadyDecided { state: String } = "already_decided",
        "This request is already {state}.", "该申请已处于 {state} 状态。";
    ScheduleInvalid { detail: String } = "schedule_invalid",
        "The schedule is not valid: {detail}.", "计划表达式无效：{detail}。";
    /// In a cluster the log and the database are PostgreSQL's.
    BackupElsewhere = "backup_elsewhere",
        "A cluster is backed up with PostgreSQL's own tools; see docs/cluster.md.",
        "集群模式请使用 PostgreSQL 自带的工具备份，见 docs/cluster.md。";
    /// The command line asked a node of a cluster that does not lead.
    LeaderElsewhere { leader: String } = "leader_elsewhere",
        "This node does not lead the cluster; run the command on the node that does: {leader}.",
        "本节点不是集群的主节点，请在主节点上执行该命令：{leader}。";
    LeaseLost = "lease_lost",
        "Another worker has taken this over.", "该任务已由其他工作进程接管。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (AddressBookFull { max: 20 }, "An address book holds 20 entries at most."),
        (FactsFull { max: 64 }, "A user may have 64 facts at most."),
        (FactReserved { name: "level".into() }, "The name level is reserved by Windfall and cannot be set."),
        (SelfBan, "You cannot ban yourself."),
        (LastAdmin, "Nobody would have the role admin any more."),
        (
            VersionStale { newest: 3 },
            "Version 3 was saved in the meantime. Read it, then save your changes on top of it.",
        ),
        (BlockListFull { max: 9 }, "A block list holds 9 users at most."),
        (AlreadyDecided { state: "approved".into() }, "This request is already approved."),
        (ScheduleInvalid { detail: "x".into() }, "The schedule is not valid: x."),
        (BackupElsewhere, "A cluster is backed up with PostgreSQL's own tools; see docs/cluster.md."),
        (
            LeaderElsewhere { leader: "http://10.0.0.2:8088".into() },
            "This node does not lead the cluster; run the command on the node that does: http://10.0.0.2:8088.",
        ),
        (LeaseLost, "Another worker has taken this over."),
    ]
}
