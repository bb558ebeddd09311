//! Random lives of one sale, each replayed from one number: buyers order, pay early, late and twice, cancel, let it
//! expire; operators restock and refund. A little ledger of its own holds and takes the units as the real one does.
//! Whatever happens, units and money add up after every step.

use std::collections::BTreeMap;

use super::super::{
    Arrival, Currency, Money, OrderEvent, OrderState, PaymentState, RefundReason, arrival, step,
};

const LIVES: u64 = 400;
const STEPS: u64 = 150;
const PRICE: u64 = 990;

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }
}

/// The hold of an order, as the ledger has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    None,
    Held,
    Taken,
    Over,
}

#[derive(Debug)]
struct Order {
    state: OrderState,
    /// Its units outside the database: the first hold, and the one that is made when it is paid late or at payment.
    hold: Hold,
    again: Hold,
    units: u64,
    payer: Option<usize>,
}

#[derive(Debug)]
struct Payment {
    order: usize,
    minor: u64,
    state: PaymentState,
}

#[derive(Default)]
struct Sale {
    total: u64,
    free: u64,
    orders: Vec<Order>,
    payments: Vec<Payment>,
    seen: BTreeMap<&'static str, u32>,
}

impl Sale {
    fn count(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    fn order(&mut self, units: u64, at_order: bool) {
        if at_order && self.free < units {
            return self.count("sold_out");
        }
        let hold = if at_order { Hold::Held } else { Hold::None };
        if at_order {
            self.free -= units;
        }
        self.orders.push(Order { state: OrderState::Unpaid, hold, again: Hold::None, units, payer: None });
    }

    /// Cancelled or expired: the ledger first, the row after it.
    fn end(&mut self, at: usize, event: OrderEvent) {
        let order = &mut self.orders[at];
        match order.hold {
            Hold::Held => {
                order.hold = Hold::Over;
                self.free += order.units;
            }
            // Deducted at payment: the row itself says whether anybody has begun to pay.
            Hold::None if order.payer.is_none() => {}
            Hold::None | Hold::Taken | Hold::Over => return,
        }
        if let Ok(Some(next)) = step(order.state, event) {
            order.state = next;
            let name = next.name();
            self.count(name);
        }
    }

    fn pay(&mut self, at: usize, minor: u64) {
        let order = &mut self.orders[at];
        let money = |minor| Money { minor, currency: Currency::parse("CNY").unwrap() };
        let costs = money(PRICE * order.units);
        let id = self.payments.len();
        let state = match arrival(order.state, order.payer.is_some(), &costs, &money(minor)) {
            Arrival::Settles => {
                order.payer = Some(id);
                PaymentState::Arrived
            }
            Arrival::Back(why) => {
                let name = if why == RefundReason::PaidTwice { "paid_twice" } else { "amount_wrong" };
                self.count(name);
                PaymentState::BackDue
            }
        };
        self.payments.push(Payment { order: at, minor, state });
    }

    /// What settling does: take what is held, or reserve again, or give the money back; again and again is the same.
    fn settle(&mut self, id: usize) {
        if self.payments[id].state != PaymentState::Arrived {
            return;
        }
        let order = &mut self.orders[self.payments[id].order];
        let taken = match (order.hold, order.again) {
            (Hold::Held, _) => {
                order.hold = Hold::Taken;
                true
            }
            (Hold::Taken, _) | (_, Hold::Taken) => true,
            (_, Hold::Over) => false,
            (_, Hold::None | Hold::Held) if self.free >= order.units => {
                self.free -= order.units;
                order.again = Hold::Taken;
                true
            }
            // The id is spent, so that nobody reserves under it later.
            (_, Hold::None | Hold::Held) => {
                order.again = Hold::Over;
                false
            }
        };
        let event = if taken { OrderEvent::Taken } else { OrderEvent::Gone };
        let next = step(order.state, event).unwrap().unwrap();
        let late = order.state != OrderState::Unpaid && taken;
        order.state = next;
        self.payments[id].state = if taken { PaymentState::Used } else { PaymentState::BackDue };
        self.count(if late {
            "paid late"
        } else if taken {
            "paid"
        } else {
            "gone"
        });
    }

    fn refund(&mut self, id: usize) {
        if self.payments[id].state != PaymentState::BackDue {
            return;
        }
        self.payments[id].state = PaymentState::Back;
        let order = &mut self.orders[self.payments[id].order];
        if order.payer == Some(id) {
            order.state = step(order.state, OrderEvent::MoneyBack).unwrap().unwrap();
        }
        self.count("refunded");
    }

    fn refund_by_hand(&mut self, at: usize) {
        let order = &mut self.orders[at];
        if let Ok(Some(next)) = step(order.state, OrderEvent::RefundAsked) {
            order.state = next;
            let payer = order.payer.unwrap();
            self.payments[payer].state = PaymentState::BackDue;
            self.count("by hand");
        }
    }

    fn holds(&self) {
        let sum = |which: Hold| -> u64 {
            let of = |order: &&Order| order.hold == which || order.again == which;
            self.orders.iter().filter(of).map(|order| order.units).sum()
        };
        assert_eq!(self.total, self.free + sum(Hold::Held) + sum(Hold::Taken), "units add up");
        let money = |state: PaymentState| -> u64 {
            self.payments.iter().filter(|payment| payment.state == state).map(|payment| payment.minor).sum()
        };
        let paid: u64 =
            self.orders.iter().filter(|order| order.state.is_paid()).map(|order| order.units * PRICE).sum();
        assert_eq!(money(PaymentState::Used), paid, "orders that are paid have the money that is kept");
        for order in &self.orders {
            let has = order.hold == Hold::Taken || order.again == Hold::Taken;
            assert!(!(order.hold == Hold::Taken && order.again == Hold::Taken), "taken once: {order:?}");
            if order.state.is_paid() {
                assert!(has, "paid and nothing taken: {order:?}");
            }
            if has && order.payer.is_none() {
                panic!("taken and nothing paid: {order:?}");
            }
        }
    }
}

#[test]
fn units_and_money_add_up_whatever_happens() {
    let mut seen = BTreeMap::new();
    for number in 0..LIVES {
        let mut dice = Dice(number);
        let mut sale = Sale { total: 6, free: 6, ..Sale::default() };
        for _ in 0..STEPS {
            let at = dice.below(sale.orders.len().max(1));
            let id = dice.below(sale.payments.len().max(1));
            let units = 1 + dice.below(2) as u64;
            match dice.below(14) {
                0..=3 => {
                    let at_order = dice.below(3) > 0;
                    sale.order(units, at_order);
                }
                _ if sale.orders.is_empty() => continue,
                4..=6 => {
                    let costs = PRICE * sale.orders[at].units;
                    let minor = if dice.below(12) == 0 { costs - 1 } else { costs };
                    sale.pay(at, minor);
                }
                7 => sale.end(at, OrderEvent::Cancelled),
                8 => sale.end(at, OrderEvent::Expired),
                9..=10 if !sale.payments.is_empty() => sale.settle(id),
                11 if !sale.payments.is_empty() => sale.refund(id),
                12 if dice.below(4) == 0 => sale.refund_by_hand(at),
                13 if dice.below(6) == 0 => (sale.total, sale.free) = (sale.total + 1, sale.free + 1),
                _ => continue,
            }
            sale.holds();
        }
        for id in 0..sale.payments.len() {
            sale.settle(id);
            sale.refund(id);
            sale.holds();
        }
        let back: u64 = sale.payments.iter().filter(|p| p.state == PaymentState::Back).map(|p| p.minor).sum();
        let paid: u64 =
            sale.orders.iter().filter(|order| order.state.is_paid()).map(|order| order.units * PRICE).sum();
        let came: u64 = sale.payments.iter().map(|payment| payment.minor).sum();
        assert_eq!(came, paid + back, "money taken = orders paid + refunds");
        for (name, count) in sale.seen {
            *seen.entry(name).or_insert(0) += count;
        }
    }
    for name in [
        "sold_out",
        "cancelled",
        "expired",
        "paid",
        "paid late",
        "gone",
        "paid_twice",
        "amount_wrong",
        "refunded",
        "by hand",
    ] {
        assert!(seen.get(name).is_some_and(|count| *count > 50), "{name}: {seen:?}");
    }
}
