//! Flash sales, their pictures, and reminders.

use super::Row;
use crate::Rejection;

rows! { sales:
    SellsOnly = "sells_only", "This is a sale: buy instead of drawing.", "这是秒杀活动，请购买，不能抽奖或报名。";
    /// A new end would be a version of its own, and there is one being written.
    VersionInMaking = "version_in_making",
        "A new version is being edited. Make the change there, or finish that version first.", "有新版本正在编辑，请写入该版本，或先完成它。";
    PictureMediaType = "picture_media_type",
        "Send a picture as image/png, image/jpeg or image/webp.", "请以 image/png、image/jpeg 或 image/webp 格式上传图片。";
    PictureUnreadable = "picture_unreadable", "The picture cannot be decoded.", "无法识别该图片。";
    PictureTooLarge { side: u32, pixels: u64 } = "picture_too_large",
        "A picture has at most {side} pixels on a side and {pixels} in all.", "图片每边最多 {side} 像素，总计最多 {pixels} 像素。";
    PicturesFull { max: u32 } = "pictures_full",
        "There are {max} pictures, the maximum.", "图片已达上限 {max} 张。";
    ReminderLate = "reminder_late", "It has already started.", "活动已经开始，无需提醒。";
    RemindersFull { max: u32 } = "reminders_full",
        "You have {max} reminders, the maximum.", "提醒已达上限 {max} 个。";
}

/// Each as an example.
pub(super) fn examples() -> Vec<Row> {
    use Rejection::*;
    vec![
        (SellsOnly, "This is a sale: buy instead of drawing."),
        (
            VersionInMaking,
            "A new version is being edited. Make the change there, or finish that version first.",
        ),
        (PictureMediaType, "Send a picture as image/png, image/jpeg or image/webp."),
        (PictureUnreadable, "The picture cannot be decoded."),
        (
            PictureTooLarge { side: 10, pixels: 100 },
            "A picture has at most 10 pixels on a side and 100 in all.",
        ),
        (PicturesFull { max: 9 }, "There are 9 pictures, the maximum."),
        (ReminderLate, "It has already started."),
        (RemindersFull { max: 9 }, "You have 9 reminders, the maximum."),
    ]
}
