//! Attempts, orders and payments.

use super::Row;
use crate::Rejection;
use crate::sale::{Currency, Money};

rows! { orders:
    TooBusy { retry_after_s: i64 } = "too_busy",
        "Too many attempts are waiting; yours was not accepted. Try again in {retry_after_s} s.",
        "排队人数过多，本次抢购未受理，请 {retry_after_s} 秒后再试。";
    AttemptUnderWay { attempt: String } = "attempt_under_way",
        "Your attempt {attempt} is still being processed. Wait for its result.",
        "您对该商品的抢购 {attempt} 尚在处理中，请等待结果。";
    /// Said of an attempt that is neither waiting nor an order.
    AttemptLost = "attempt_lost",
        "This attempt did not become an order, and will not. Try again.",
        "该次抢购没有生成订单，也不会再生成，请重新抢购。";
    /// Between the moment it was shown and the decision.
    PriceChanged { name: String, price: Money } = "price_changed",
        "The sale has changed: {name} costs {price} now. Check it, then try again.",
        "商品信息已变更：{name} 现价 {price}，请确认后重试。";
    CartCurrencies = "cart_currencies",
        "All items of an order must have the same currency.", "同一订单中的商品须使用同一币种。";
    CartAtPayment { name: String } = "cart_at_payment",
        "{name} has to be bought on its own: its units are taken at payment.",
        "{name} 在支付时才扣减库存，须单独购买。";
    OrderStepIllegal { state: String, step: String } = "order_step_illegal",
        "An order that is {state} does not allow the step {step}.", "订单处于 {state} 状态，不能执行 {step}。";
    /// It is about to be settled with it.
    OrderPaying = "order_paying",
        "A payment for this order has arrived and is being processed.", "该订单已收到付款，正在处理。";
    /// Of a key, which cannot ask a second person.
    RefundAloneMax { max: Money } = "refund_alone_max",
        "With this, more than {max} would be refunded by one person today. A second person has to approve that, and an API key cannot ask for it. Sign in to do it.",
        "本次操作将使同一人今日退款超过 {max}，须由第二人审批；API 密钥不能申请审批，请登录后操作。";
    PaymentsOff = "payments_off",
        "No payment provider is enabled.", "未启用支付渠道。";
    SignatureWrong = "signature_wrong",
        "The signature does not match the body, or it is too old.", "签名与内容不符，或已过期。";
    PaymentConflict = "payment_conflict",
        "This reference was already reported with another order or amount.", "该流水号此前对应另一订单或金额。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (
            TooBusy { retry_after_s: 2 },
            "Too many attempts are waiting; yours was not accepted. Try again in 2 s.",
        ),
        (
            AttemptUnderWay { attempt: "7".into() },
            "Your attempt 7 is still being processed. Wait for its result.",
        ),
        (AttemptLost, "This attempt did not become an order, and will not. Try again."),
        (
            PriceChanged { name: "tea".into(), price: Money { minor: 990, currency: Currency::CNY } },
            "The sale has changed: tea costs CNY 9.90 now. Check it, then try again.",
        ),
        (CartCurrencies, "All items of an order must have the same currency."),
        (
            CartAtPayment { name: "tea".into() },
            "tea has to be bought on its own: its units are taken at payment.",
        ),
        (
            OrderStepIllegal { state: "paid".into(), step: "cancel".into() },
            "An order that is paid does not allow the step cancel.",
        ),
        (OrderPaying, "A payment for this order has arrived and is being processed."),
        (
            RefundAloneMax { max: Money { minor: 990, currency: Currency::CNY } },
            "With this, more than CNY 9.90 would be refunded by one person today. A second person has to approve that, and an API key cannot ask for it. Sign in to do it.",
        ),
        (PaymentsOff, "No payment provider is enabled."),
        (SignatureWrong, "The signature does not match the body, or it is too old."),
        (PaymentConflict, "This reference was already reported with another order or amount."),
    ]
}
