//! The names of everything that can be wrong with a strategy, by itself or in the activity it is written for.

use crate::{Lang, flaw};

/// A flaw, and where it is: `prizes[3].release[1].units`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyProblem {
    pub flaw: StrategyFlaw,
    pub field: String,
}

macro_rules! flaws {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $en:literal, $zh:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum StrategyFlaw {
            $($(#[$doc])* $name),+
        }

        impl StrategyFlaw {
            pub const ALL: &[StrategyFlaw] = &[$(StrategyFlaw::$name),+];

            /// The stable name.
            pub fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code),+
                }
            }

            /// What to tell a person.
            pub const fn text(self, lang: Lang) -> &'static str {
                match (self, lang) { $((Self::$name, Lang::En) => $en, (Self::$name, Lang::Zh) => $zh),+ }
            }
        }
    };
}

flaws! {
    /// A whole has 1 to `WHOLE_MAX` parts.
    WholeOutOfRange = "whole_out_of_range",
        "The whole has too few or too many parts.", "概率总份数超出范围。";
    PrizesNone = "prizes_none", "There is no prize.", "没有奖品。";
    PrizesTooMany = "prizes_too_many", "There are too many prizes.", "奖品数量过多。";
    PrizeIdTwice = "prize_id_twice", "Another prize has the same id.", "奖品 ID 重复。";
    SlotTwice = "slot_twice", "Another prize, or the miss, is on the same slot.", "格位重复：已被其他奖品或未中奖占用。";
    NameOutOfRange = "name_out_of_range", "The name is empty or too long.", "名称为空或过长。";
    AmountTooLarge = "amount_too_large", "The amount is too large.", "数额过大。";
    TablesNone = "tables_none", "There is no table of odds.", "没有概率表。";
    TablesTooMany = "tables_too_many", "There are too many tables of odds.", "概率表数量过多。";
    /// No tier leads to the table.
    TableUnreachable = "table_unreachable", "No tier leads to this table.", "没有阶梯指向该概率表。";
    TableUnknown = "table_unknown", "There is no such table.", "概率表不存在。";
    PrizeUnknown = "prize_unknown", "There is no such prize.", "奖品不存在。";
    /// In no table and in no rule: nobody can ever win it.
    PrizeUnreachable = "prize_unreachable",
        "Nobody can ever win this prize: it is in no table and in no rule.", "该奖品不在任何概率表或规则中，永远无法中奖。";
    /// Twice in one table.
    SliceTwice = "slice_twice", "This prize is in the table twice.", "同一概率表中奖品重复。";
    /// A slice of no width.
    OddsZero = "odds_zero", "The odds are zero.", "概率为零。";
    OddsExceedWhole = "odds_exceed_whole", "The odds add up to more than the whole.", "概率之和超过总份数。";
    /// A table without any slice: everybody misses.
    TableEmpty = "table_empty", "The table has no prize: everybody would miss.", "概率表为空，所有人都不会中奖。";
    /// Weighed anew, but there is nothing to weigh.
    RenormalisedWithoutPrize = "renormalised_without_prize",
        "Odds are to be weighed anew, but the table has no prize to weigh.", "重新归一模式下概率表没有任何奖品。";
    /// Two prizes of one pool: each would count on the other's units.
    PoolTwice = "pool_twice", "Another prize takes from the same pool.", "多个奖品使用同一库存池。";
    /// A pooled prize without a unit.
    StockZero = "stock_zero", "There is not a single unit of this prize.", "奖品库存为零。";
    UnlockZero = "unlock_zero", "Unlocked from draw zero on is no rule.", "解锁次数不能为零。";
    CapZero = "cap_zero", "A cap of zero lets nobody win.", "上限为零，任何人都无法获得。";
    LabelsTooMany = "labels_too_many", "The prize names too many risk labels.", "奖品的风险标签过多。";
    /// A risk label is a tag that a user can carry.
    LabelMalformed = "label_malformed",
        "A risk label is 1 to 64 characters, without spaces around it.", "风险标签为 1 至 64 个字符，首尾不能有空格。";
    LabelTwice = "label_twice",
        "This risk label is there twice, or the labels are not in order.", "风险标签重复或未按顺序排列。";
    ReleaseNotIncreasing = "release_not_increasing",
        "Each release has to come later than the one before, with more units.", "投放计划的时间与数量必须逐项递增。";
    ReleaseBeyondStock = "release_beyond_stock",
        "More units are released than there are.", "投放数量超过库存。";
    ReleaseTooLong = "release_too_long", "The release schedule has too many steps.", "投放计划的步骤过多。";
    TiersNone = "tiers_none", "There are tiers, but not a single one.", "阶梯为空。";
    TiersNotIncreasing = "tiers_not_increasing",
        "Each tier has to begin above the one before.", "阶梯门槛必须逐项递增。";
    /// Somebody who has not drawn yet is in no tier.
    TierForZeroMissing = "tier_for_zero_missing",
        "The first tier has to begin at zero: somebody who has not drawn yet is in none.", "首个阶梯必须从零开始。";
    FallbackRangeEmpty = "fallback_range_empty",
        "The fallback's range of points is empty or begins at zero.", "兜底积分范围为空或从零开始。";
    /// The budget does not cover the most of its range even once.
    FallbackWithoutBudget = "fallback_without_budget",
        "The fallback's budget does not cover its range even once.", "兜底预算不足以发放一次最高积分。";
    PityZero = "pity_zero", "A guarantee after zero misses is no rule.", "保底次数不能为零。";
    /// A guarantee of which there is not a single unit.
    PityWithoutStock = "pity_without_stock",
        "There is not a single unit of the guaranteed prize.", "保底奖品没有库存。";
    /// A cost above a budget's cap: it can never be given.
    CostBeyondBudget = "cost_beyond_budget",
        "One unit costs more than the budget: it could never be given.", "奖品成本超过预算，永远无法发放。";

    // Held against the activity around it.
    /// At the end of the window, or after it.
    ReleaseBeyondWindow = "release_beyond_window",
        "Released when the window is over: these units could never be drawn.", "投放时间不早于活动结束时间，这些奖品永远无法被抽中。";
    /// The activity gives nobody so many chances.
    UnlockBeyondQuota = "unlock_beyond_quota",
        "The activity gives nobody so many chances: it would never be unlocked.", "解锁次数超出抽奖次数上限，永远无法解锁。";
    TierBeyondQuota = "tier_beyond_quota",
        "The activity gives nobody so many chances: this tier would never be reached.", "阶梯门槛超出抽奖次数上限，永远无法到达。";
    PityBeyondQuota = "pity_beyond_quota",
        "The activity gives nobody so many chances: the guarantee would never come.", "保底次数超出抽奖次数上限，永远无法触发。";
    /// Every draw of every player wins something.
    PityWithoutMiss = "pity_without_miss",
        "Every draw wins something: without misses the guarantee would never come.", "每次抽奖都会中奖，保底永远无法触发。";
    TenBeyondQuota = "ten_beyond_quota",
        "Ten draws at a time are offered, but the activity gives nobody ten chances in a day.", "已开启十连抽，但总次数、每月或每日的抽奖次数上限不足十次。";
    /// Neither points nor a text.
    FallbackKind = "fallback_kind",
        "The fallback gives points: its prize has to be of the kind points or text.", "兜底奖发放积分，其奖品类型只能是 points 或 text。";
}

impl From<StrategyProblem> for flaw::Flaw {
    fn from(StrategyProblem { flaw, field }: StrategyProblem) -> Self {
        Self::new(field, flaw.code(), flaw.text(Lang::En), flaw.text(Lang::Zh))
    }
}
