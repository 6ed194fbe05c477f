// Texts about the result of an A/B test, in Simplified Chinese.

export default {
  test: {
    title: "A/B 测试结果", failed: "无法加载 A/B 测试结果，请重新加载页面。",
    uncounted: "正在统计每个方案的人数，最多需要一分钟。",
    of: "{reached} / {people}",
    early: {
      opened: "数据不足，尚不能比较。目前打开：{reached}。每个方案至少需要 {people} 人，两个方案合计至少 {least} 人打开。",
      engaged: "数据不足，尚不能比较。目前互动：{reached}。每个方案至少需要 {people} 人，两个方案合计至少 {least} 人互动。",
      event: "数据不足，尚不能比较。目前发生 {event}：{reached}。每个方案至少需要 {people} 人，两个方案合计至少 {least} 人发生该事件。",
    },
    even: "没有方案领先，差异可能在 {lower} 至 {upper} 个百分点之间。",
    chance: "方案 {leader} 比 {other} 领先 {points} 个百分点，仍可能是偶然（{lower} 至 {upper}）。",
    ahead: {
      opened: "目前打开 {leader} 的人更多：{rate}，{other} 为 {otherRate}。{other} 之后仍可能追上。",
      engaged: "目前与 {leader} 互动的人更多：{rate}，{other} 为 {otherRate}。{other} 之后仍可能追上。",
      event: "目前收到 {leader} 后发生 {event} 的人更多：{rate}，{other} 为 {otherRate}。{other} 之后仍可能追上。",
    },
    winner: {
      opened: "方案 {leader} 打开率更高：{rate}，另一方案为 {otherRate}。基本可排除偶然，相差 {lower} 至 {upper} 个百分点。",
      engaged: "方案 {leader} 互动率更高：{rate}，另一方案为 {otherRate}。基本可排除偶然，相差 {lower} 至 {upper} 个百分点。",
      event: "方案 {leader} 带来更多 {event}：{rate}，另一方案为 {otherRate}。基本可排除偶然，相差 {lower} 至 {upper} 个百分点。",
    },
    noWinner: "未分胜负：相差 {points} 个百分点，可能只是偶然，最多相差 {most} 个百分点。每个方案 {people} 人时，小于 {detectable} 个百分点的差异有五分之一以上的可能无法识别。",
    noDifference: "没有值得关注的差异：即使有，也小于 {most} 个百分点。",
    sampleRatio: "这些数字不可信：某个方案缺少人数（{people}）。查明原因之前不作结论。",
    decides: "{time} 所有人的时间都结束后得出结论。在此之前，区间随时有效。",
    counted: "统计于 {time}。无论查看多少次，区间都有效。",
    final: "结论于 {time} 得出，依据届时已收到的数据。",
    mixed: { other: "{count} 人期间登录并收到了两个方案，不计入。" },
    chart: "相差的百分点，以及它几乎必然所在的区间",
    against: "{leader} 对比 {other}", points: "{points} 个百分点", range: "{lower} 至 {upper}",
    people: "人数", rate: "比率", interval: "区间（95%）",
    reached: { opened: "打开", engaged: "互动", event: "发生 {event}" },
  },
};
