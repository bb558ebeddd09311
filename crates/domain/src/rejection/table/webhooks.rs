//! Telling other systems.

use super::Row;
use crate::Rejection;

rows! { webhooks:
    WebhookAddressPrivate = "webhook_address_private",
        "Webhooks are not delivered to private addresses, unless webhooks.allow_private is set.",
        "不能投递到内网地址；如确需，请在配置中开启 webhooks.allow_private。";
    WebhooksFull { max: u32 } = "webhooks_full",
        "There are {max} webhooks, the maximum. Remove one first.", "Webhook 已达 {max} 个上限，请先删除一个。";
    WebhookIsOff = "webhook_is_off",
        "This webhook is switched off. Switch it on first.", "该 Webhook 已停用，请先启用。";
    DeliveryWaiting = "delivery_waiting",
        "This delivery is already waiting for its next attempt.", "该投递正在等待下一次尝试。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (
            WebhookAddressPrivate,
            "Webhooks are not delivered to private addresses, unless webhooks.allow_private is set.",
        ),
        (WebhooksFull { max: 50 }, "There are 50 webhooks, the maximum. Remove one first."),
        (WebhookIsOff, "This webhook is switched off. Switch it on first."),
        (DeliveryWaiting, "This delivery is already waiting for its next attempt."),
    ]
}
