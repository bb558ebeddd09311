//! Items in words, for a list, an event or a chat.

use super::{AttentionItem, AttentionKind};
use crate::Lang;
use crate::fulfilment::PrizeKind;

const MIB: u64 = 1 << 20;

impl AttentionItem {
    /// One sentence that says what is the matter. What to do about it is up to whoever shows it.
    pub fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.english(),
            Lang::Zh => self.chinese(),
        }
    }

    fn english(&self) -> String {
        let Self { name, count, of, .. } = self;
        let n = |one: &str, many: &str| format!("{count} {}", if *count == 1 { one } else { many });
        match self.kind {
            AttentionKind::CodesMissing => {
                format!("{} for a code: “{name}” is empty", n("winner waits", "winners wait"))
            }
            AttentionKind::IssuerMissing => {
                format!("{} to be issued, and no webhook asks for them", n("coupon has", "coupons have"))
            }
            AttentionKind::PrizesFailed => {
                format!("{} could not be given ({name})", n("prize", "prizes"))
            }
            AttentionKind::PrizesStuck => {
                format!("{} on the way for too long ({name})", n("prize has been", "prizes have been"))
            }
            AttentionKind::DeadLetters => {
                format!("{} could not be delivered ({name})", n("message", "messages"))
            }
            AttentionKind::Quarantine => {
                format!(
                    "{} for a look after a restore",
                    n("message or code pool waits", "messages and code pools wait")
                )
            }
            AttentionKind::LedgerStopped => "The ledger does not reach the database".to_owned(),
            AttentionKind::LedgerBehind => format!("The database is {count} events behind the ledger"),
            AttentionKind::LedgerDiffers => {
                format!("The last audit left {}", n("difference", "differences"))
            }
            AttentionKind::ClockBehind => {
                format!("The clock is {count} s behind the ledger: draws and orders are refused")
            }
            AttentionKind::DiskLow => {
                format!("The disk of the folder “{name}” has {} MiB free of {} MiB", count / MIB, of / MIB)
            }
            AttentionKind::WebhookOff => format!("The webhook “{name}” is off: it only failed"),
            AttentionKind::WebhookFailing => {
                format!("The webhook “{name}” fails ({})", n("attempt", "attempts"))
            }
            AttentionKind::CodesShort => {
                format!("“{name}” has {} for {of} that were promised", n("code", "codes"))
            }
            AttentionKind::CodesLow => format!("“{name}” has only {} left", n("code", "codes")),
            AttentionKind::StockLow if *count == 0 => format!("“{name}” is gone: 0 of {of} left"),
            AttentionKind::StockLow => format!("“{name}” is nearly gone: {count} of {of} left"),
            AttentionKind::JobFailing => format!("The job “{name}” failed the last time"),
            AttentionKind::JobPaused => format!("The job “{name}” is paused"),
            AttentionKind::SecondFactorMissing => {
                format!(
                    "{} without a second factor",
                    n("member of staff signs in", "members of staff sign in")
                )
            }
            AttentionKind::RefundsDue => format!("{} to be refunded", n("order has", "orders have")),
            AttentionKind::ToRelease => {
                format!("{} for an operator to let go", n("prize waits", "prizes wait"))
            }
            AttentionKind::ToShip => format!("{} to be sent", n("parcel has", "parcels have")),
        }
    }

    fn chinese(&self) -> String {
        let Self { name, count, of, .. } = self;
        let kind = || PrizeKind::parse(name).map_or(name.as_str(), |kind| kind.text(Lang::Zh));
        match self.kind {
            AttentionKind::CodesMissing => format!("{count} 位中奖者在等兑换码：“{name}”已空"),
            AttentionKind::IssuerMissing => format!("{count} 张优惠券待发放，但没有 webhook 订阅发券"),
            AttentionKind::PrizesFailed => format!("{count} 份奖品发放失败（{}）", kind()),
            AttentionKind::PrizesStuck => format!("{count} 份奖品发放超时（{}）", kind()),
            AttentionKind::DeadLetters => format!("{count} 条消息投递失败（{name}）"),
            AttentionKind::Quarantine => format!("恢复备份后，有 {count} 项消息和码池待确认"),
            AttentionKind::LedgerStopped => "账本未能写入数据库".to_owned(),
            AttentionKind::LedgerBehind => format!("数据库落后账本 {count} 个事件"),
            AttentionKind::LedgerDiffers => format!("上次对账留下 {count} 处差异"),
            AttentionKind::ClockBehind => format!("时钟落后账本 {count} 秒，抽奖和下单被拒绝"),
            AttentionKind::DiskLow => {
                format!("目录“{name}”所在磁盘仅剩 {} MiB，共 {} MiB", count / MIB, of / MIB)
            }
            AttentionKind::WebhookOff => format!("Webhook“{name}”持续失败，已被停用"),
            AttentionKind::WebhookFailing => format!("Webhook“{name}”投递失败 {count} 次"),
            AttentionKind::CodesShort => format!("“{name}”剩 {count} 个码，已承诺 {of} 个"),
            AttentionKind::CodesLow => format!("“{name}”只剩 {count} 个码"),
            AttentionKind::StockLow if *count == 0 => format!("“{name}”已无库存（共 {of} 份）"),
            AttentionKind::StockLow => format!("“{name}”库存紧张：剩 {count} 份，共 {of} 份"),
            AttentionKind::JobFailing => format!("任务“{name}”上次运行失败"),
            AttentionKind::JobPaused => format!("任务“{name}”已暂停"),
            AttentionKind::SecondFactorMissing => format!("{count} 名员工未启用两步验证"),
            AttentionKind::RefundsDue => format!("{count} 笔订单待退款"),
            AttentionKind::ToRelease => format!("{count} 份奖品待人工发放"),
            AttentionKind::ToShip => format!("{count} 个包裹待寄出"),
        }
    }
}
