//! Events as a sentence for the people of a chat, in the shape that the chat takes; and whether it took it.
//!
//! Chats answer 200 to what they refuse and say so in the body.

use domain::Lang;
use domain::webhook::{EventKind, HookFormat};
use serde_json::{Value as Json, json};

/// What is posted for an event. What is no event is there already as it was posted, and is posted again.
pub(crate) fn render(format: HookFormat, body: &str) -> Option<String> {
    if !format.is_chat() {
        return None;
    }
    let event: Json = serde_json::from_str(body).ok()?;
    let text = text_of(event.get("kind")?.as_str()?, event.get("data")?, format.lang());
    let posted = match format {
        HookFormat::Event | HookFormat::Slack => json!({ "text": text }),
        HookFormat::Feishu => json!({ "msg_type": "text", "content": { "text": text } }),
        HookFormat::Dingtalk | HookFormat::Wecom => {
            json!({ "msgtype": "text", "text": { "content": text } })
        }
    };
    Some(posted.to_string())
}

/// Why a chat that answered with a success did not take it.
pub(crate) fn refusal(format: HookFormat, answer: &[u8]) -> Option<String> {
    if !format.is_chat() {
        return None;
    }
    let answer: Json = serde_json::from_slice(answer).ok()?;
    let code = ["errcode", "code", "StatusCode"].iter().find_map(|name| answer.get(name)?.as_i64())?;
    let words = ["errmsg", "msg", "StatusMessage"].iter().find_map(|name| answer.get(name)?.as_str());
    (code != 0).then(|| format!("the chat refused it: {code} {}", words.unwrap_or_default()))
}

/// The sentence that an event has, or its name and what it says.
fn text_of(kind: &str, data: &Json, lang: Lang) -> String {
    let field = if lang == Lang::Zh { "text_zh" } else { "text" };
    let sentence = data.get(field).and_then(Json::as_str);
    match (EventKind::parse(kind), sentence, lang) {
        (Some(EventKind::AttentionRaised), Some(text), Lang::En) => format!("Windfall: {text}"),
        (Some(EventKind::AttentionRaised), Some(text), Lang::Zh) => format!("Windfall：{text}"),
        (Some(EventKind::AttentionCleared), Some(text), Lang::En) => format!("Windfall: over: {text}"),
        (Some(EventKind::AttentionCleared), Some(text), Lang::Zh) => format!("Windfall：已恢复：{text}"),
        (Some(EventKind::WebhookTest), _, Lang::En) => "Windfall: this is a test".to_owned(),
        (Some(EventKind::WebhookTest), _, Lang::Zh) => "Windfall：这是一条测试消息".to_owned(),
        (_, _, Lang::En) => format!("Windfall: {kind} {data}"),
        (_, _, Lang::Zh) => format!("Windfall：{kind} {data}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chat_has_its_shape_and_its_language() {
        let body = |kind: &str, data: Json| json!({ "id": "1", "kind": kind, "data": data }).to_string();
        let raised = body("attention.raised", json!({ "text": "Empty", "text_zh": "已空" }));
        let cleared = body("attention.cleared", json!({ "text": "Empty", "text_zh": "已空" }));
        for (format, body, expected) in [
            (HookFormat::Event, &raised, None),
            (HookFormat::Slack, &raised, Some(json!({ "text": "Windfall: Empty" }))),
            (HookFormat::Slack, &cleared, Some(json!({ "text": "Windfall: over: Empty" }))),
            (
                HookFormat::Feishu,
                &raised,
                Some(json!({ "msg_type": "text", "content": { "text": "Windfall：已空" } })),
            ),
            (
                HookFormat::Dingtalk,
                &cleared,
                Some(json!({ "msgtype": "text", "text": { "content": "Windfall：已恢复：已空" } })),
            ),
            (
                HookFormat::Wecom,
                &body("webhook.test", json!({})),
                Some(json!({ "msgtype": "text", "text": { "content": "Windfall：这是一条测试消息" } })),
            ),
            (
                HookFormat::Slack,
                &body("stock.low", json!({ "left": 1 })),
                Some(json!({ "text": "Windfall: stock.low {\"left\":1}" })),
            ),
            // Posted before, and put back from the log.
            (HookFormat::Slack, &json!({ "text": "Windfall: Empty" }).to_string(), None),
        ] {
            let posted = render(format, body).map(|text| serde_json::from_str::<Json>(&text).unwrap());
            assert_eq!(posted, expected, "{format:?}");
        }
    }

    #[test]
    fn a_refusal_with_a_success_is_a_refusal() {
        for (format, answer, refused) in [
            (HookFormat::Event, r#"{"errcode":1}"#, false),
            (HookFormat::Slack, "ok", false),
            (HookFormat::Dingtalk, r#"{"errcode":0,"errmsg":"ok"}"#, false),
            (HookFormat::Dingtalk, r#"{"errcode":310000,"errmsg":"keywords not in content"}"#, true),
            (HookFormat::Feishu, r#"{"code":19024,"msg":"Key Words Not Found"}"#, true),
            (HookFormat::Feishu, r#"{"StatusCode":0,"StatusMessage":"success"}"#, false),
            (HookFormat::Wecom, r#"{"errcode":93000,"errmsg":"invalid webhook url"}"#, true),
        ] {
            assert_eq!(refusal(format, answer.as_bytes()).is_some(), refused, "{format:?} {answer}");
        }
    }
}
