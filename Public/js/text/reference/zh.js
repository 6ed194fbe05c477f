// API 参考的中文文本，与 en.js 的键相同。概要和说明来自服务器，是英文。

export default {
  reference: {
    search: "搜索接口", contents: "接口", back: "全部接口", download: "openapi.json", missing: "没有接口“{id}”。请从列表中选择。",
    startTitle: "{title} 的 API", startText: "这些页面用的也是同一套 API，共 {count} 个接口。请从列表中选择，或按名称、路径、词语搜索。接口的说明为英文。", firstTitle: "第一个请求",
    accessTitle: "谁可以调用",
    access: {
      secretKey: "任何私密 API 密钥", publishableKey: "公开 API 密钥，即 App 里的那种", session: "已登录的成员", nobody: "任何人，不需要密钥。",
    },
    permitted: { secretKey: "有 {permission} 权限的私密 API 密钥", session: "已登录且有 {permission} 权限的成员" },
    exampleTitle: "示例", exampleText: "$BELFRY_KEY 是你的 API 密钥。大写的词和 … 需要你填写。",
    parameters: "参数", in: { path: "路径中", query: "查询参数", header: "请求头", cookie: "Cookie" }, body: "请求体", answers: "应答", schema: "字段", headers: "响应头：",
    problems: { other: "{count} 种问题状态" }, problemsLabel: "问题",
    problemsText: "问题是一个 JSON 文档，含状态、代码、给人看的说明，以及有误的字段。程序应根据代码判断。",
    status: "状态", meaning: "含义", codes: "代码，例如", required: "必填", writeOnly: "不会返回", values: "取值", example: "例如", anyName: "任意名称", option: "形式 {count}",
    orNull: "{type}或 null", listOf: "{type}列表",
    type: { string: "文本", integer: "整数", number: "数字", boolean: "true 或 false", object: "对象", array: "列表", any: "任意值", time: "时间" },
    limit: {
      numberFrom: "至少 {from}", numberTo: "最多 {to}", numberRange: "{from} 到 {to}", lengthFrom: "至少 {from} 个字符", lengthTo: "最多 {to} 个字符", lengthRange: "{from} 到 {to} 个字符",
      itemsFrom: "至少 {from} 项", itemsTo: "最多 {to} 项", itemsRange: "{from} 到 {to} 项", unique: "不可重复", pattern: "格式 {pattern}", default: "默认 {value}",
    },
  },
};
