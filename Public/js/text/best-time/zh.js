// Texts about pushes at each person's best time, in Chinese.

export default {
  bestTime: {
    day: "日期", from: "从", until: "至", repeated: "在个人最佳时间发送", between: "{from} 至",
    help: "根据以往的打开记录，每台手机在其当地时间最可能打开推送的整点收到。没有记录的手机在整体最佳的整点收到。",
    honest: "5% 在同一整点收到，另有 5% 在任意整点收到，报告据此判断个人最佳时间是否值得。",
    honestTest: "在 A/B 测试中，所有人都在个人最佳时间收到，报告比较文案。",
    hours: "按当地时间统计的设备", hour: "时间", devices: "设备", share: "占比", at: "{from} 至 {to}",
    personal: { other: "{count} 台设备有自己的最佳时间。" },
    others: { other: "其余 {count} 台在整体最佳的 {hour} 收到，或参与比较。" },
    nobody: "还没有设备有自己的最佳时间：Belfry 每天从打开记录中学习。大多数设备在 {hour} 收到。",
  },
};
