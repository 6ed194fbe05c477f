// Webhook 的中文文本，与 en.js 的键相同。

export default {
  webhooks: {
    title: "Webhook", create: "添加 Webhook", editTitle: "编辑 Webhook",
    intro: "此 App 中发生的事情会通知你的服务器。Belfry 按 Standard Webhooks 约定为每条消息签名，并在近一天内重试，直到服务器应答。",
    none: "还没有 Webhook", noneText: "添加你的服务器地址，并选择要通知的事件。",
    reference: "Webhook 的 API 见参考",
    url: "地址", urlHelp: "Belfry 向它发送 POST 请求。必须是以 https:// 开头的公网地址，除非此服务器允许其他地址。",
    description: "名称", kinds: "事件",
    kind: {
      run_finished: "轮次已完成", run_paused: "轮次已暂停", run_failed: "活动无法开始", credential_refused: "苹果拒绝了密钥", restore_question: "恢复后有轮次等待决定",
      approval_requested: "有人提交审批", approval_decided: "审批已处理",
      test_undecided: "A/B 测试等你决定", test_decided: "A/B 测试已有结论",
      replies_received: "收到回复", devices_retired: "设备已停用",
    },
    state: { enabled: "已启用", failing: "失败中", disabled: "已停用" },
    failingText: "自 {time} 起没有消息送达。三天后 Webhook 将被停用。",
    reason: {
      gone: "已停用：接收方返回状态 410，表示不再需要消息。",
      failing: "已停用：三天内所有尝试都失败。请修复接收方，再启用 Webhook；仍在等待的消息届时会发送。",
      full: "已停用：等待的消息过多。请修复接收方，再启用 Webhook；仍在等待的消息届时会发送。",
    },
    test: "发送测试", testSent: "测试消息正在发送。",
    rotate: "新密钥", rotateTitle: "生成新密钥？", rotateText: "一天内消息会带有两个密钥的签名，便于你的服务器更换。",
    secret: "Webhook 的密钥", secretText: "你的服务器用它验证消息。请现在复制：之后不再显示。", secretKept: "我已保存",
    secretUntil: "上一个密钥在 {time} 前仍用于签名。",
    enable: "启用", disable: "停用", delete: "删除", deleteTitle: "删除 Webhook {url}？", deleteText: "等待中的消息不会发送，消息日志也会删除。",
    openLog: "最近一周的消息", log: "最近一周的消息", filter: { all: "全部", waiting: "等待中", delivered: "已送达", failed: "失败" },
    waiting: { other: "{count} 条消息等待中" },
    event: "事件", created: "创建时间", outcome: "结果", body: "显示内容", noDeliveries: "没有这样的消息。", more: "显示更多",
    deliveryState: { waiting: "等待中", delivered: "已送达", failed: "失败" }, nextAttempt: "下次尝试：{time}；已尝试 {attempts} 次",
    resend: "重新发送", resent: "消息正在重新发送。",
  },
};
