// The emoji that messages need most, with their names in both languages: the first is shown, all are searched. None is
// newer than Unicode 12, so that phones with old systems have them.

const rows = `
🎉 party, celebrate | 庆祝, 派对
🎁 gift, present | 礼物
🔥 fire, hot, trending | 火, 热门
✨ sparkles, new | 闪亮, 新品
⭐ star, favourite | 星星, 收藏
❤️ heart, love | 爱心, 喜欢
👋 wave, hello | 挥手, 你好
🔔 bell, reminder | 铃铛, 提醒
⏰ alarm clock, time, hurry | 闹钟, 时间
⏳ hourglass, ends soon | 沙漏, 即将结束
📣 megaphone, announcement | 喇叭, 公告
👉 here, pointing right | 这里, 向右
✅ check, done | 完成, 勾
❗ exclamation, important | 感叹号, 重要
💡 idea, tip, light | 点子, 灯泡
🚀 rocket, launch | 火箭, 上线
🏆 trophy, win | 奖杯, 冠军
🥇 gold medal, first | 金牌, 第一
🎯 target, goal | 靶心, 目标
💯 hundred, perfect | 一百分, 满分
👏 applause, bravo | 鼓掌
🙌 hooray, raised hands | 万岁, 举手
👍 thumbs up, good | 赞, 好
👎 thumbs down, bad | 踩, 不好
🙏 thanks, please | 感谢, 拜托
💪 strong, muscle, training | 加油, 健身
🤝 handshake, deal | 握手, 合作
👀 eyes, look | 眼睛, 看
😀 smile, happy | 微笑, 开心
😂 tears of joy, laugh, funny | 笑哭, 搞笑
😊 blush, friendly | 害羞, 友好
😍 in love, heart eyes | 喜爱, 爱心眼
🥰 adore, hearts | 喜欢, 甜蜜
😎 cool, sunglasses | 酷, 墨镜
🤩 amazed, star eyes | 惊艳, 星星眼
😉 wink | 眨眼
😋 yummy, delicious | 好吃, 美味
🤗 hug | 拥抱
🤔 thinking, hmm | 思考
😮 surprised, wow | 惊讶, 哇
😴 sleeping, night | 睡觉
🥳 celebrating, birthday face | 派对脸, 生日
😢 sad, miss you | 难过, 想你
😱 scream, shocked | 尖叫, 震惊
🎂 birthday cake | 生日蛋糕
🎈 balloon | 气球
🎊 confetti | 彩带, 庆典
🍾 champagne, bottle | 香槟
🥂 cheers, glasses | 干杯
💐 flowers, bouquet | 花束
🌹 rose | 玫瑰
🌸 blossom, spring | 樱花, 春天
🌻 sunflower, summer | 向日葵, 夏天
🍂 leaves, autumn | 落叶, 秋天
❄️ snowflake, winter | 雪花, 冬天
☀️ sun, weather | 太阳, 天气
🌙 moon, evening | 月亮, 晚上
🌈 rainbow | 彩虹
☔ rain, umbrella | 雨, 雨伞
⚡ lightning, flash, fast | 闪电, 快速
🎄 Christmas tree | 圣诞树
🎅 Santa Claus | 圣诞老人
🎃 pumpkin, Halloween | 南瓜, 万圣节
🐣 chick, Easter | 小鸡, 复活节
🧧 red envelope, lunar new year | 红包, 新年
🏮 lantern | 灯笼
🛍️ shopping bags, sale | 购物袋, 特卖
🛒 shopping cart, basket | 购物车
💸 money, save | 钱, 省钱
💰 bag of money, price | 钱袋, 价格
💳 card, pay | 银行卡, 付款
🏷️ label, offer | 标签, 优惠
🎟️ ticket, voucher | 门票, 优惠券
📦 parcel, delivery | 包裹, 快递
🚚 truck, on the way | 货车, 配送
🏠 house, home | 房子, 家
🏪 shop, store | 商店
📍 place, map pin | 位置, 地点
✈️ plane, travel | 飞机, 旅行
🚆 train | 火车
🚗 car | 汽车
🚲 bicycle | 自行车
🏖️ beach, holiday | 海滩, 假期
🏨 hotel | 酒店
🧳 suitcase, trip | 行李箱, 出行
🌍 world, earth | 世界, 地球
☕ coffee, break | 咖啡, 休息
🍕 pizza | 披萨
🍔 burger | 汉堡
🍜 noodles, soup | 面条, 汤
🍣 sushi | 寿司
🍰 cake, dessert | 蛋糕, 甜点
🍎 apple, fruit | 苹果, 水果
🥗 salad, healthy | 沙拉, 健康
🍺 beer | 啤酒
🍷 wine | 葡萄酒
👕 shirt, clothes | 衣服
👟 shoe, sneaker | 鞋, 运动鞋
👗 dress, fashion | 裙子, 时尚
💄 lipstick, beauty | 口红, 美妆
💎 gem, premium | 钻石, 尊享
👑 crown, VIP | 皇冠, 贵宾
🎵 music, song | 音乐, 歌曲
🎧 headphones, listen | 耳机, 收听
🎬 film, video | 电影, 视频
📺 television, watch | 电视, 观看
🎤 microphone, live | 麦克风, 现场
🎮 game, play | 游戏, 玩
⚽ football, soccer | 足球
🏀 basketball | 篮球
🎾 tennis | 网球
🏃 running, sport | 跑步, 运动
🧘 yoga, calm | 瑜伽, 冥想
📖 book, read | 书, 阅读
🎓 graduation, course | 毕业, 课程
✏️ pencil, write | 铅笔, 写
📷 camera, photo | 相机, 照片
📱 phone, app | 手机, 应用程序
💻 computer | 电脑
✉️ letter, mail | 信, 邮件
💬 message, chat | 消息, 聊天
📅 calendar, date | 日历, 日期
📈 growth, up | 增长, 上升
📉 decline, down | 下降
📰 news | 新闻
🔒 lock, safe | 锁, 安全
🔑 key, access | 钥匙
🛠️ tools, maintenance | 工具, 维护
⚠️ warning, caution | 警告, 注意
❌ cross, no | 叉, 否
❓ question, help | 问号, 帮助
➡️ arrow right, next | 右箭头, 下一步
⬇️ arrow down, download | 下箭头, 下载
🔄 refresh, update | 刷新, 更新
🆕 new sign | 新
🆓 free | 免费
🐶 dog, pet | 狗, 宠物
🐱 cat | 猫
🦄 unicorn, magic | 独角兽, 魔法
🐢 turtle, slow | 乌龟, 慢
🌱 plant, green, sustainable | 植物, 环保
`;

/** [{id, en, zh}]: `id` is the emoji, `en` and `zh` its names. */
export const emoji = rows.trim().split("\n").map((row) => {
  const [id, rest] = [row.slice(0, row.indexOf(" ")), row.slice(row.indexOf(" ") + 1)];
  const [en, zh] = rest.split(" | ").map((names) => names.split(", "));
  return { id, en, zh };
});
