//! Flash sales, their pictures, and reminders.

use super::Row;
use crate::Rejection;

rows! { sales:
    SellsOnly = "sells_only", "This is a sale: buy instead of drawing.", "这是秒杀活动，请购买，不能抽奖或报名。";
    /// A new end would be a version of its own, and there is one being written.
    VersionInMaking = "version_in_making",
        "A version is in the making. Put the change there, or finish it first.", "有新版本正在编辑，请写入该版本，或先完成它。";
    PictureMediaType = "picture_media_type",
        "Send a picture as image/png, image/jpeg or image/webp.", "请以 image/png、image/jpeg 或 image/webp 格式上传图片。";
    PictureUnreadable = "picture_unreadable", "This is no picture that can be read.", "无法识别该图片。";
    PictureTooLarge { side: u32, pixels: u64 } = "picture_too_large",
        "A picture has at most {side} pixels on a side and {pixels} in all.", "图片每边最多 {side} 像素，总计最多 {pixels} 像素。";
    PicturesFull { max: u32 } = "pictures_full",
        "There are {max} pictures already, the most there may be.", "图片已达上限 {max} 张。";
    ReminderLate = "reminder_late", "It has begun already.", "活动已经开始，无需提醒。";
    RemindersFull { max: u32 } = "reminders_full",
        "You have {max} reminders already, the most there may be.", "提醒已达上限 {max} 个。";
}

/// Each as an example.
pub(super) fn shown() -> Vec<Row> {
    use Rejection::*;
    vec![
        (SellsOnly, "This is a sale: buy instead of drawing."),
        (VersionInMaking, "A version is in the making. Put the change there, or finish it first."),
        (PictureMediaType, "Send a picture as image/png, image/jpeg or image/webp."),
        (PictureUnreadable, "This is no picture that can be read."),
        (
            PictureTooLarge { side: 10, pixels: 100 },
            "A picture has at most 10 pixels on a side and 100 in all.",
        ),
        (PicturesFull { max: 9 }, "There are 9 pictures already, the most there may be."),
        (ReminderLate, "It has begun already."),
        (RemindersFull { max: 9 }, "You have 9 reminders already, the most there may be."),
    ]
}
