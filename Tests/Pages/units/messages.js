const { translator } = await import("/js/messages.js");
const { default: table, words } = await import("/js/text/zh-messages.js");
const say = translator(table, words);
const message = (key, ...values) => ({ key, arguments: values });
const own = translator({
  "is {found}, not {wanted}": "{wanted}?{found}",
  "is like {{{name}}}": "如 {{{name}}}",
  "is like {{}}": "如空",
});
const text = (words) => message('the text "{}"', words);
const sentence = (path, ...rest) => message("{} {}.", path, message(...rest));

return {
  "arguments are filled in where the other language wants them": () =>
    equal(own(message("is {}, not {}", "5", "7")), "7?5"),
  "braces of a sentence are no arguments": () =>
    equal([own(message("is like {{{}}}", "x")), own(message("is like {{}}")), own(message("is like {}", "x"))], [
      "如 {x}",
      "如空",
      null,
    ]),
  "an unknown message stays": () => equal(say(message("Never heard of {}.", "it")), null),
  "an unknown message inside of another stays in English": () =>
    equal(say(message("is not JSON: {}", message("never {{heard}} of {}", "it"))), "不是 JSON：never {heard} of it"),
  "a campaign whose name is another sentence keeps it": () =>
    equal(
      say(
        message(
          "The payload of “{}” already uses this key. Choose another key for message ids.",
          "The campaign is archived",
        ),
      ),
      "“The campaign is archived”的内容已使用此键，请为消息 ID 另选一个。",
    ),
  "a value that is a sentence of the server stays, and a message is translated": () =>
    equal(
      say(message("must be {}, not {}", message("a whole number"), text("is required"))),
      "须为整数，不能是文本“is required”",
    ),
  "the server's word for a value is translated only where it is one": () =>
    equal(
      [message("There is no such {}.", "campaign"), message("no device has an attribute {}{}", "campaign", message(""))]
        .map((each) => say(each)),
      ["没有这个活动。", "没有设备有属性 campaign"],
    ),
  "a path before a message stays": () =>
    equal(
      say(
        message(
          "{} {}",
          sentence("aps.badge", "must be {}, not {}", message("a whole number, like 2"), text("x")),
          sentence("name", "is required"),
        ),
      ),
      "aps.badge 须为整数，如 2，不能是文本“x”。name 必须填写。",
    ),
  "a suggestion is translated behind every message": () =>
    equal(
      say(
        message(
          "must be {} for {}, not {}{}",
          message("{} or {}", message("{}", "is"), "is_not"),
          message("{}", "user_id"),
          text("si"),
          message("; did you mean {}?", "is"),
        ),
      ),
      "user_id 须用 is 或 is_not，不能是文本“si”；你是想写 is 吗？",
    ),
  "a frequency cap inside of a sentence is translated": () =>
    equal(
      [
        message("The frequency cap of {} was not reached.", message("{} pushes in {} days", "3", "7")),
        message("The frequency cap of {} was reached.", message("{} push in one day", "1")),
      ].map((each) => say(each)),
      ["未达到频次上限（7 天内 3 条）。", "已达到频次上限（1 天内 1 条）。"],
    ),
  "states and actions are named in words": () =>
    equal(
      say(
        message(
          "A campaign that is {} can't be {}. {}",
          "sending",
          "unscheduled",
          message("Allowed now: {}.", message("{}, {}", "pause", "cancel")),
        ),
      ),
      "活动正在发送，无法取消定时。现在可以：暂停、取消。",
    ),
  "a reason with the messages inside it is translated": () =>
    equal(
      say(
        message(
          "The content can't be sent as it is: {}",
          message("{}", sentence("template", "is archived; unarchive it first")),
        ),
      ),
      "内容不能这样发送：template 已归档，请先取消归档。",
    ),
  "each sentence of a reason is translated": () =>
    equal(
      say(
        message(
          "{} {} {}",
          message(
            "Apple rejected {} % of the last {} pushes{}.",
            "42",
            "500",
            message(", most of them as {}", "BadDeviceToken"),
          ),
          message("{} {}", message("The token does not belong to this environment."), message("Send it again.")),
          message(
            "Sending has stopped. Resume to send to the remaining recipients; the run then has no rejection threshold.",
          ),
        ),
      ),
      "最近 500 条推送中苹果拒收了 42%，多因 BadDeviceToken。令牌不属于此环境。请再发一次。已停止发送。继续会发给其余设备，此轮次不再自动暂停。",
    ),
};
