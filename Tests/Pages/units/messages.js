const { translator } = await import("/js/messages.js");
const { default: table, words } = await import("/js/text/zh-messages.js");
const say = translator(table, words);
const own = translator({
  "is {found}, not {wanted}": "{wanted}?{found}",
  "is {found}": "={found}",
  'the text "{text}"': "“{text}”",
});

return {
  "values are filled in where the other language wants them": () => equal(own("is 5, not 7"), "7?5"),
  "the sentence with more fixed words wins": () => equal(own("is 5"), "=5"),
  "a value that is a message is translated, and a person's own text is not": () =>
    equal(own('is the text "is 5"'), "=“is 5”"),
  "an unknown message stays": () =>
    equal([own("Never heard of."), say("Never heard of.")], ["Never heard of.", "Never heard of."]),
  "a sentence ends as the server's does": () =>
    equal([say("must be true or false"), say("must be true or false.")], [
      "须为 true 或 false",
      "须为 true 或 false。",
    ]),
  "a path before a message stays": () =>
    equal(
      say('aps.badge must be a whole number, like 2, not the text "x". name is required.'),
      "aps.badge 须为整数，如 2，不能是文本“x”。name 必须填写。",
    ),
  "a suggestion is translated behind every message": () =>
    equal(
      say('must be is or is_not for user_id, not the text "si"; did you mean is?'),
      "user_id 须用 is 或 is_not，不能是文本“si”；你是想写 is 吗？",
    ),
  "a frequency cap inside of a sentence is translated": () =>
    equal(
      [
        "The frequency cap of 3 pushes in 7 days was not reached.",
        "The frequency cap of 1 push in one day was reached.",
      ].map(say),
      ["未达到频次上限（7 天内 3 条）。", "已达到频次上限（1 天内 1 条）。"],
    ),
  "states and actions are named in words": () =>
    equal(
      say("A campaign that is sending can't be unscheduled. Allowed now: pause, cancel."),
      "活动正在发送，无法取消定时。现在可以：暂停、取消。",
    ),
  "a reason with the messages inside it is translated": () =>
    equal(
      say("The content can't be sent as it is: template is archived; unarchive it first."),
      "内容不能这样发送：template 已归档，请先取消归档。",
    ),
  "each sentence of a reason is translated": () =>
    equal(
      say(
        "Apple rejected 42 % of the last 500 pushes, most of them as BadDeviceToken. The token does not belong to " +
          "this environment. Send it again. Sending has stopped. Resume to send to the remaining recipients; the run " +
          "then has no rejection threshold.",
      ),
      "最近 500 条推送中苹果拒收了 42%，多因 BadDeviceToken。令牌不属于此环境。请再发一次。已停止发送。继续会发给其余设备，此轮次不再自动暂停。",
    ),
};
