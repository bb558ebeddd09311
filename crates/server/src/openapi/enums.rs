//! Names as enums: where a field is the name of a Rust enum, the document lists the names there are.
//!
//! The names come from the enum itself wherever it has a list of them. A field that looks like one and is not listed here
//! fails a test below.

use domain::Rejection;
use domain::access::{ApprovalState, Role, Scope};
use domain::account::FactKind;
use domain::activity::{ActivityKind, CostBound, Game, LifeState as ActivityState};
use domain::attention::{AttentionKind, AttentionLevel};
use domain::community::{
    AppealState, CommentSubject, DecisionSubject, ModerationAct, MuteSubject, NotificationKind,
    NotificationSubject, PostState, ReportReason, ReportState, ReportSubject, WordAction,
};
use domain::fulfilment::{FulfilmentSource, FulfilmentState, PrizeKind};
use domain::grants::{GrantRefusal as NotGrantedReason, Period};
use domain::job::RunOutcome;
use domain::ledger::play::ChancePeriod;
use domain::ledger::{HoldState, PoolState};
use domain::lottery::live::ExclusionReason;
use domain::lottery::strategy::{Mode, TierBy, UnlockScope};
use domain::points::EntryKind as StatementKind;
use domain::sale::{OrderState, PaymentState, Policy, RefundReason};
use domain::search::{IndexedKind, SearchKind};
use domain::shop::{OfferState, ShopOrderState};
use domain::statistics::FunnelStep;
use domain::tree::{EdgeReason as StepReasonRequest, TreePurpose};
use domain::webhook::{ALL_KINDS, EventKind, HookFormat};
use engine::draws::raffle::RaffleState;
use engine::fulfilment::LANES;
use store::model::{AttemptOutcome, MovementKind, OffReason};
use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayItems, ObjectBuilder, OneOfBuilder, RefBuilder, SchemaType, Type,
};
use utoipa::openapi::{Components, OpenApi, Ref, RefOr, Schema};

use super::operations;
use crate::problem::INTERNAL;

/// A type of the document, its values, and the fields and words of queries that have it.
pub(super) struct Names {
    pub name: &'static str,
    pub values: Vec<&'static str>,
    /// `Schema.field`, or `operation?word`.
    pub places: &'static [&'static str],
}

macro_rules! names {
    ($($name:ident = $values:expr => [$($place:literal),+ $(,)?];)+) => {
        vec![$(Names { name: stringify!($name), values: Vec::from($values), places: &[$($place),+] }),+]
    };
}

pub(super) fn all() -> Vec<Names> {
    let with_all = [&[ALL_KINDS][..], &EventKind::ALL.map(EventKind::name)].concat();
    names! {
        ProblemCode = [Rejection::CODES, &[INTERNAL]].concat() => ["KnownProblemBody.code", "ProblemBody.code", "RefusalCountBody.code"];
        Role = Role::ALL.map(Role::name) => ["RolesRequest.roles", "UserRequest.roles", "AccountBody.roles", "user_list?role"];
        Scope = Scope::ALL.map(Scope::name) => ["KeyBody.scopes", "KeyRequest.scopes"];
        PostState = PostState::ALL.map(PostState::name) => ["PostBody.state", "CommentBody.state", "NotificationBody.state", "ReportCaseBody.post_state"];
        CommentSubject = CommentSubject::ALL.map(CommentSubject::name) => ["CommentBody.on", "NotificationBody.on", "ReportCaseBody.thread_on",
            "HeldTextBody.thread_on", "DecisionBody.thread_on"];
        NotificationKind = NotificationKind::ALL.map(NotificationKind::name) => [
            "NotificationBody.kind", "NotificationSettingsBody.kinds", "NotificationSettingsBody.off",
            "NotificationSettingsRequest.off"];
        NotificationSubject = NotificationSubject::ALL.map(NotificationSubject::name) => ["NotificationBody.about"];
        ReportSubject = ReportSubject::ALL.map(ReportSubject::name) => ["AbuseReportRequest.on", "ReportCaseBody.on"];
        ReportReason = ReportReason::ALL.map(ReportReason::name) => ["AbuseReportRequest.reason", "AbuseReportBody.reason"];
        ReportState = ReportState::ALL.map(ReportState::name) => ["ReportCaseBody.state", "report_list?state"];
        DecisionSubject = DecisionSubject::ALL.map(DecisionSubject::name) => ["HeldTextBody.on", "DecisionBody.on"];
        AppealState = AppealState::ALL.map(AppealState::name) => ["AppealBody.state", "appeal_list?state"];
        WordAction = WordAction::ALL.map(WordAction::name) => [
            "FilterWordBody.action", "FilterWordRequest.action", "FilterFindingBody.action", "FilterTrialBody.action",
            "FilterChangeBody.before", "FilterChangeBody.after", "words_list?action"];
        SearchKind = SearchKind::ALL.map(SearchKind::name) => ["search?kind"];
        FoundKind = IndexedKind::ALL.map(IndexedKind::name) => ["FoundBody.kind"];
        MuteSubject = MuteSubject::ALL.map(MuteSubject::name) => ["MuteBody.on"];
        ModerationAct = ModerationAct::ALL.map(ModerationAct::name) => ["ModerationRequest.act"];
        ApprovalState = ApprovalState::ALL.map(ApprovalState::name) => ["ApprovalBody.state", "approval_list?state"];
        ActorKind = ["person", "key", "console", "system"] => ["ActorBody.kind"];
        FactKind = FactKind::ALL.map(FactKind::name) => ["NodeBody.type", "StepBody.type"];
        CodePurpose = ["sign_in", "register", "reset_password"] => ["CodeRequest.purpose"];
        ActivityKind = ActivityKind::ALL.map(ActivityKind::name) => [
            "ActivityBody.kind", "ActivityForm.kind", "CampaignFunnelBody.kind", "PlayBody.kind", "PlayRowBody.kind",
            "ReminderBody.kind"];
        FunnelStep = FunnelStep::ALL.map(FunnelStep::name) => ["FunnelCountBody.step"];
        ActivityState = ActivityState::ALL.map(ActivityState::name) => [
            "ActivityBody.state", "PlayBody.state", "PlayRowBody.state", "ReminderBody.state", "SaleBody.state",
            "SaleLiveBody.state", "FoundBody.state", "activity_list?state"];
        VersionState = ["editing", "in_review", "refused", "approved"] => ["DraftBody.review", "VersionNote.review"];
        PrizeKind = PrizeKind::ALL.map(PrizeKind::name) => [
            "FulfilmentBody.kind", "PrizeBody.kind", "PrizeForm.kind", "ThingBody.kind", "OfferBody.kind", "fulfilment_list?kind",
            "fulfilments_csv?kind"];
        OfferKind = ["text", "code", "coupon", "parcel", "chances"] => ["OfferRequest.kind"];
        PrizesLeft = ["some", "none"] => ["PlayPrizeBody.left"];
        DrawReason = ["won", "pity", "fallback", "miss"] => ["DrawBody.why"];
        ChancesLimit = ChancePeriod::ALL.map(ChancePeriod::name) => ["ChancesBody.bound_by"];
        Game = Game::ALL.map(Game::name) => ["ActivityForm.game", "PlayBody.game"];
        ExclusionReason = ExclusionReason::ALL.map(ExclusionReason::name) => ["SimulatedStopBody.reason"];
        OddsMode = Mode::ALL.map(Mode::name) => ["ActivityForm.mode", "OddsBody.mode"];
        TierBy = TierBy::ALL.map(TierBy::name) => ["TableBody.by", "TiersForm.by"];
        UnlockScope = UnlockScope::ALL.map(UnlockScope::name) => ["UnlockBody.scope", "UnlockForm.scope"];
        RaffleState = RaffleState::ALL.map(RaffleState::name) => ["RaffleStateBody.state"];
        FulfilmentState = FulfilmentState::ALL.map(FulfilmentState::name) => [
            "FulfilmentBody.state", "GivingBody.state", "fulfilment_list?state", "fulfilments_csv?state"];
        FulfilmentSource = FulfilmentSource::NAMES => ["FulfilmentBody.source"];
        NextAct = ["claim", "wait", "nothing"] => ["GivingBody.next"];
        WaitsFor = ["a subscriber", "more codes"] => ["FulfilmentBody.waits_for", "GivingBody.waits_for"];
        AttemptState = ["queued", "ordered", "refused"] => ["AttemptBody.state"];
        OrderState = OrderState::ALL.map(OrderState::name) => [
            "SaleOrderBody.state", "my_sale_orders?state", "sale_orders?state", "sale_orders_csv?state"];
        SalePolicy = Policy::ALL.map(Policy::name) => ["SaleBody.policy", "SaleForm.policy", "SaleOrderBody.policy"];
        SaleItemKind = ["parcel", "code", "collectible"] => ["SaleItemBody.kind", "SaleOrderLineBody.item"];
        PaymentState = PaymentState::ALL.map(PaymentState::name) => ["PaymentBody.state"];
        RefundReason = RefundReason::ALL.map(RefundReason::name) => ["PaymentBody.back_why"];
        RoomState = ["waiting", "admitted", "sold_out", "left"] => ["RoomBody.state"];
        OfferState = OfferState::ALL.map(OfferState::name) => ["OfferStaffBody.state", "offer_list?state"];
        OfferSwitch = ["on", "off"] => ["OfferUpdateRequest.state"];
        ShopOrderState = ShopOrderState::ALL.map(ShopOrderState::name) => ["ShopOrderBody.state", "ShopOrderStaffBody.state", "shop_orders?state"];
        GrantGives = ["chances", "points"] => ["GrantRuleBody.gives", "GrantRuleRequest.gives", "GrantedBody.gives", "TaskBody.gives"];
        GrantPeriod = Period::ALL.map(Period::name) => ["GrantRuleBody.period", "GrantRuleRequest.period", "TaskBody.period"];
        GrantState = ["ready", "given", "failed", "reversed"] => ["GrantedBody.state"];
        NotGrantedReason = NotGrantedReason::ALL.map(NotGrantedReason::name) => ["PassedBody.why"];
        StatementKind = StatementKind::ALL.map(StatementKind::name) => ["StatementRowBody.kind"];
        PoolState = PoolState::ALL.map(PoolState::name) => ["PoolBody.state"];
        HoldState = HoldState::ALL.map(HoldState::name) => ["HoldBody.state", "hold_list?state"];
        HoldStep = ["reserved", "extended", "confirmed", "cancelled", "expired", "spent"] => ["LifeBody.what"];
        MovementKind = MovementKind::ALL.map(MovementKind::name) => ["MovementBody.kind"];
        CommandName = ["open", "reopen", "restock", "adjust", "limit", "freeze", "thaw", "close", "reserve", "confirm",
            "cancel", "extend"] => ["BatchCommand.do"];
        TreePurpose = TreePurpose::ALL.map(TreePurpose::name) => [
            "TreeBody.purpose", "TreeEntry.purpose", "TreeRequest.purpose", "TreeUpdateRequest.purpose", "tree_list?purpose"];
        TreeLeaf = ["allow", "deny", "activity"] => ["DryRunBody.leaf", "NodeBody.leaf"];
        TreeComparison = ["=", ">", "<", ">=", "<=", "in", "range"] => ["EdgeBody.when"];
        TreeStepReason = StepReasonRequest::ALL.map(StepReasonRequest::name) => ["StepBody.why"];
        RunOutcome = RunOutcome::ALL.map(RunOutcome::name) => ["RunBody.outcome"];
        CostBound = CostBound::ALL.map(CostBound::name) => ["WorstCaseBody.bound"];
        AttentionKind = AttentionKind::ALL.map(AttentionKind::name) => ["AttentionBody.kind"];
        AttentionLevel = AttentionLevel::ALL.map(AttentionLevel::name) => ["AttentionBody.level"];
        WebhookFormat = HookFormat::ALL.map(HookFormat::name) => ["WebhookBody.format", "WebhookRequest.format"];
        EventFilter = with_all => ["WebhookBody.kinds", "WebhookRequest.kinds", "WebhookUpdateRequest.kinds"];
        EventKind = EventKind::ALL.map(EventKind::name) => ["DeliveryBody.kind"];
        DeliveryOutcome = AttemptOutcome::ALL.map(AttemptOutcome::name) => ["DeliveryBody.came"];
        WebhookOffReason = OffReason::ALL.map(OffReason::name) => ["WebhookBody.off_why"];
        WinnersFormat = ["json", "csv"] => ["winner_list?format"];
    }
}

/// Fields with the lane of a message: one of the program's own, or `hook:` and the id of a webhook.
const LANE_FIELDS: [(&str, &str); 5] = [
    ("DeadLetterBody", "lane"),
    ("QuarantineMoveRequest", "lane"),
    ("QuarantinedLaneBody", "lane"),
    ("QuarantinedMessageBody", "lane"),
    ("RedriveRequest", "lane"),
];

/// Puts them in place. A place that is not there any more fails a test.
pub(super) fn apply(document: &mut OpenApi) -> Vec<&'static str> {
    let mut missing = Vec::new();
    for Names { name, values, places } in all() {
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(values)).build();
        let components = document.components.get_or_insert_default();
        components.schemas.insert(name.to_owned(), schema.into());
        for place in places {
            let done = match (place.split_once('.'), place.split_once('?')) {
                (Some((schema, field)), _) => name_field(components, schema, field, name),
                (None, Some((operation, word))) => {
                    operations(&mut document.paths).any(|one| name_word(one, operation, word, name))
                }
                (None, None) => false,
            };
            if !done {
                missing.push(*place);
            }
        }
    }
    name_lanes(document.components.get_or_insert_default(), &mut missing);
    missing
}

fn name_lanes(components: &mut Components, missing: &mut Vec<&'static str>) {
    let own = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(LANES.to_vec())).build();
    components.schemas.insert("Lane".to_owned(), own.into());
    for (schema, field) in LANE_FIELDS {
        let found = match components.schemas.get_mut(schema) {
            Some(RefOr::T(schema)) => property(schema, field),
            Some(RefOr::Ref(_)) | None => None,
        };
        match found {
            Some(found) => *found = lane(found),
            None => missing.push(schema),
        }
    }
}

fn lane(found: &RefOr<Schema>) -> RefOr<Schema> {
    let words = match found {
        RefOr::T(Schema::Object(object)) => object.description.clone(),
        _ => None,
    };
    let hook = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^hook:[0-9]+$"));
    let lane = OneOfBuilder::new().item(Ref::from_schema_name("Lane")).item(hook).description(words);
    lane.examples(["coupons"]).into()
}

fn name_field(components: &mut Components, schema: &str, field: &str, name: &str) -> bool {
    match components.schemas.get_mut(schema) {
        Some(RefOr::T(schema)) => property(schema, field).is_some_and(|found| {
            *found = named(found, name);
            true
        }),
        Some(RefOr::Ref(_)) | None => false,
    }
}

/// A field of an object, or of the parts that it is put together from.
pub(super) fn property<'a>(schema: &'a mut Schema, field: &str) -> Option<&'a mut RefOr<Schema>> {
    match schema {
        Schema::Object(object) => object.properties.get_mut(field),
        Schema::AllOf(all) => all.items.iter_mut().find_map(|item| match item {
            RefOr::T(part) => property(part, field),
            RefOr::Ref(_) => None,
        }),
        _ => None,
    }
}

/// The same place with the enum instead of a text: alone, in a list, as values of a map, or absent.
fn named(found: &RefOr<Schema>, name: &str) -> RefOr<Schema> {
    let reference = |words: &str| -> RefOr<Schema> {
        let location = Ref::from_schema_name(name).ref_location;
        RefBuilder::new().ref_location(location).description(Some(words)).build().into()
    };
    match found {
        RefOr::T(Schema::Array(list)) => {
            let mut list = list.clone();
            list.items = ArrayItems::RefOrSchema(Box::new(reference("")));
            Schema::Array(list).into()
        }
        RefOr::T(Schema::Object(object)) => {
            let words = object.description.clone().unwrap_or_default();
            match (&object.schema_type, &object.additional_properties) {
                (SchemaType::Array(_), _) => {
                    let null = ObjectBuilder::new().schema_type(Type::Null);
                    let words = (!words.is_empty()).then_some(words);
                    Schema::OneOf(
                        OneOfBuilder::new().item(reference("")).item(null).description(words).build(),
                    )
                    .into()
                }
                (_, Some(_)) => {
                    let mut object = object.clone();
                    object.additional_properties = Some(Box::new(AdditionalProperties::RefOr(reference(""))));
                    Schema::Object(object).into()
                }
                (_, None) => reference(&words),
            }
        }
        other => other.clone(),
    }
}

fn name_word(operation: &mut Operation, id: &str, word: &str, name: &str) -> bool {
    if operation.operation_id.as_deref() != Some(id) {
        return false;
    }
    let is_it = |one: &&mut RefOr<Parameter>| matches!(one, RefOr::T(parameter) if parameter.name == word);
    let found = operation.parameters.iter_mut().flatten().find(is_it);
    match found {
        Some(RefOr::T(parameter)) => {
            parameter.schema = Some(Ref::from_schema_name(name).into());
            true
        }
        Some(RefOr::Ref(_)) | None => false,
    }
}
