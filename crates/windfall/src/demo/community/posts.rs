//! What they write, and what the others make of it.

use anyhow::Context;
use domain::community::{CommentSubject, CommentText, PostTerms};
use domain::fingerprint::Fingerprint;
use domain::ids::{CommentId, PostId, UserId};
use domain::time::{HOUR_MS, MINUTE_MS, Timestamp};
use engine::community::markdown::render;
use engine::community::posts::{post_like, post_vote};
use store::model::{CommentCreate, CommunityDay, Once, PostPublish, PostText, ThreadId};

use super::people::PLAYER;
use crate::node::Node;

/// People are named by their places in the list.
struct DemoPost {
    by: usize,
    hours_ago: i64,
    title: &'static str,
    body: &'static str,
    voters: &'static [usize],
    likers: &'static [usize],
    comments: &'static [DemoComment],
}

struct DemoComment {
    by: usize,
    minutes_later: i64,
    text: &'static str,
    /// Which of the comments before it this one answers.
    answers: Option<usize>,
}

const fn says(by: usize, minutes_later: i64, text: &'static str) -> DemoComment {
    DemoComment { by, minutes_later, text, answers: None }
}

const fn answers(comment: usize, by: usize, minutes_later: i64, text: &'static str) -> DemoComment {
    DemoComment { by, minutes_later, text, answers: Some(comment) }
}

/// The oldest first.
const POSTS: &[DemoPost] = &[
    DemoPost {
        by: 4,
        hours_ago: 70,
        title: "手冲咖啡：三支豆子，三种早晨",
        body: "上周秒杀抢到的咖啡豆到了，趁周末一口气冲了三支：\n\n\
               1. **埃塞俄比亚日晒**：草莓和红酒，92 °C 就够，水温再高会发苦。\n\
               2. **哥伦比亚水洗**：最不挑器具，适合刚入门的朋友。\n\
               3. **云南厌氧**：很跳，喜欢的人会很喜欢。\n\n\
               研磨度我都用中细，粉水比 1:15，闷蒸 30 秒。你们平时怎么冲？",
        voters: &[1, 2, 7],
        likers: &[0, 1, 2, 6, 7],
        comments: &[
            says(2, 12, "第二支我也喝过，冷了之后反而更甜。"),
            answers(0, 4, 20, "对，放到 50 度左右最好喝。"),
            says(7, 95, "粉水比学到了，明天试试。"),
        ],
    },
    DemoPost {
        by: 3,
        hours_ago: 52,
        title: "How to read an odds page in one minute",
        body: "Before I spend a chance I open **Odds** and look at three things:\n\n\
               - *Is there a guarantee?* If there is, the page says after how many draws it comes.\n\
               - *Is a prize released over time?* Then an early draw cannot win the units of the evening.\n\
               - *What does “no prize” weigh?* Everything on the page adds up to 100 %, so this is the honest number.\n\n\
               And after the draw: **Verify**. The browser computes it again, nobody has to be believed.",
        voters: &[0, 1, 5, 6, 8],
        likers: &[0, 1, 2, 5, 6, 8],
        comments: &[
            says(5, 30, "The part about releases over time explained my whole Tuesday."),
            says(8, 41, "Bookmarked. Do chances carry over to the next day?"),
            answers(1, 3, 55, "They do, until the activity ends."),
        ],
    },
    DemoPost {
        by: 2,
        hours_ago: 31,
        title: "连签七天，大转盘给了我什么",
        body: "每天签到送一次大转盘的机会，我坚持了七天，如实汇报：\n\n\
               | 天数 | 结果 |\n| --- | --- |\n| 第 1 天 | 谢谢参与 |\n| 第 2 天 | 积分 |\n| 第 3 天 | 积分 |\n\
               | 第 5 天 | 优惠券 |\n| 第 7 天 | 连签奖励，积分翻了一截 |\n\n\
               没中大奖，但积分够在商店换东西了。**别断签**，断了可以用积分补。",
        voters: &[0, 1, 3, 6, 7],
        likers: &[0, 1, 4, 6, 7],
        comments: &[
            says(6, 8, "第六天和第四天呢？被你吃掉了吗"),
            answers(0, 2, 15, "那两天是谢谢参与，不好意思写。"),
            answers(1, 6, 17, "哈哈哈哈真实。"),
            says(0, 200, "我今天第七天，蹭蹭你的运气。"),
        ],
    },
    DemoPost {
        by: 1,
        hours_ago: 20,
        title: "秒杀前我会做的五件事",
        body: "抢不到不一定是手慢，也可能是没准备好：\n\n\
               1. 提前登录，把收货地址填好；\n\
               2. 打开商品页，点「提醒我」；\n\
               3. 有等候室就早点进，顺序不会因为刷新而丢；\n\
               4. 下单之后别反复点，页面会告诉你最终结果；\n\
               5. 记得在时限内付款，过时会自动释放给别人。\n\n\
               > 等候室里的位置是服务器记的，重启浏览器也在。",
        voters: &[0, 2, 3, 4, 6, 7],
        likers: &[0, 2, 3, 4, 5, 6, 7],
        comments: &[
            says(7, 5, "第三条是真的，我手机没电换了平板，还在原来的位置。"),
            says(4, 26, "补一条：没抢到别走，未付款的会回到库存。"),
            answers(1, 1, 33, "对！我两次都是这样捡漏的。"),
        ],
    },
    DemoPost {
        by: 5,
        hours_ago: 14,
        title: "I checked my own draw with nothing but the browser",
        body: "Skeptic by profession, so I tried. Under **My wins** each draw has its proof: the secret that was committed \
               to before the activity began, my number, and the table of odds at that moment.\n\n\
               The page computes the same roll as the server did, and the chain of hashes shows that no draw was slipped \
               in or taken out. It matched. I lost, but I lost *fairly*.",
        voters: &[0, 3, 8],
        likers: &[1, 3, 8],
        comments: &[
            says(3, 18, "“I lost fairly” should be on a T-shirt."),
            says(8, 44, "Prize idea for the next raffle!"),
        ],
    },
    DemoPost {
        by: 7,
        hours_ago: 9,
        title: "新手提问：抽到的实物怎么领？",
        body: "第一次抽到实物奖品，有点激动。「我的奖品」里写着**待领取**，是不是填了地址就可以了？有没有期限？",
        voters: &[],
        likers: &[2, 6],
        comments: &[
            says(1, 4, "填地址就行，奖品卡片上写着领取的截止时间，别过期。"),
            says(2, 11, "发货之后那里会有快递单号。"),
            answers(0, 7, 16, "收到，谢谢两位！"),
        ],
    },
    DemoPost {
        by: 8,
        hours_ago: 5,
        title: "Ten draws at once, or one by one?",
        body: "Does it change the odds? I asked myself, then read the rules: each of the ten is a draw of its own, decided in \
               one step. Same odds, same guarantee, fewer taps. So it is a matter of taste: **suspense ten times**, or ten \
               cards to turn over.",
        voters: &[3, 5],
        likers: &[0, 3, 5, 6],
        comments: &[says(5, 9, "One by one. I like the wheel's ticking."), says(6, 13, "十连翻牌派报到 🃏")],
    },
    DemoPost {
        by: PLAYER,
        hours_ago: 3,
        title: "今天的签到也没有断",
        body: "连续签到第六天打卡。大家这周抽到了什么？在评论里晒一晒吧。",
        voters: &[1],
        likers: &[1, 3, 6],
        comments: &[
            says(6, 6, "抽到 20 积分，四舍五入就是头奖。"),
            says(3, 21, "A coupon! Thank you for asking, @小满 Player"),
        ],
    },
    DemoPost {
        by: 6,
        hours_ago: 1,
        title: "盲盒开出隐藏款的那一刻",
        body: "手都在抖。之前开了九次都是普通款，**第十次**触发了保底。\n\n\
               *保底进度在活动页就能看到*，快到的时候千万别停。",
        voters: &[2, 7],
        likers: &[1, 2, 4, 7],
        comments: &[says(2, 3, "羡慕哭了，我还差四次。")],
    },
];

pub fn last_author(people: &[UserId]) -> anyhow::Result<UserId> {
    POSTS.last().and_then(|post| people.get(post.by)).copied().context("the demo has posts")
}

/// As far as it is missing.
pub async fn seed(node: &Node, people: &[UserId]) -> anyhow::Result<()> {
    let world = &node.world;
    for (place, post) in POSTS.iter().enumerate() {
        let published = world.now() + -post.hours_ago * HOUR_MS;
        let id = publish(node, place, post, people[post.by], published).await?;
        let mut comments = Vec::with_capacity(post.comments.len());
        for comment in post.comments {
            let at = published + comment.minutes_later * MINUTE_MS;
            let reply_to = comment.answers.and_then(|answered| comments.get(answered)).copied();
            let step = CommentCreate {
                id: CommentId(world.next_id()),
                author: people[comment.by],
                thread: ThreadId { subject: CommentSubject::Post, id: id.0 },
                reply_to,
                text: CommentText::parse(comment.text)?,
                ruling: Default::default(),
                day: day(node, at),
                once: Some(once(&format!("comment-{place}-{}", comments.len()))),
            };
            comments.push(CommentId(world.db.comment_create(step).await?.id));
        }
        for voter in post.voters {
            post_vote(world, people[*voter], id).await?;
        }
        for liker in post.likers {
            post_like(world, people[*liker], id, true).await?;
        }
    }
    Ok(())
}

async fn publish(
    node: &Node,
    place: usize,
    post: &DemoPost,
    author: UserId,
    published: Timestamp,
) -> anyhow::Result<PostId> {
    let world = &node.world;
    let terms = PostTerms::parse(post.title, None, post.body)?;
    let rendered = render(&terms.body);
    let step = PostPublish {
        id: PostId(world.next_id()),
        author,
        text: PostText {
            terms,
            excerpt: rendered.excerpt,
            has_links: rendered.has_links,
            ruling: Default::default(),
        },
        merged_from: world.settings.community.merged_from_followers,
        day: day(node, published),
        once: Some(once(&format!("post-{place}"))),
    };
    Ok(PostId(world.db.post_publish(step).await?.id))
}

fn day(node: &Node, now: Timestamp) -> CommunityDay {
    CommunityDay { day: node.world.site_day(now), caps: node.world.settings.community.daily, now }
}

/// A start that is cut short and made again writes nothing twice.
fn once(key: &str) -> Once {
    Once {
        principal: "demo".to_owned(),
        key: key.to_owned(),
        fingerprint: Fingerprint::of(&[key.as_bytes()]),
        sealed: None,
    }
}
