// Texts that iOS itself shows, in the phone's language, not the reader's.

const words = {
  en: ["now", "3h ago", "Time Sensitive", "Critical", "Notification", "Notification Center", "Send", "Message"],
  zh: ["现在", "3小时前", "时效性", "重要", "通知", "通知中心", "发送", "信息"],
  "zh-Hant": ["現在", "3小時前", "即時", "重大", "通知", "通知中心", "傳送", "訊息"],
  ja: ["今", "3時間前", "即時通知", "重大", "通知", "通知センター", "送信", "メッセージ"],
  ko: ["지금", "3시간 전", "시간에 민감한 알림", "중요", "알림", "알림 센터", "보내기", "메시지"],
  de: ["Jetzt", "vor 3 Std.", "Zeitkritisch", "Kritisch", "Mitteilung", "Mitteilungszentrale", "Senden", "Nachricht"],
  fr: [
    "maintenant",
    "il y a 3 h",
    "Urgent",
    "Critique",
    "Notification",
    "Centre de notifications",
    "Envoyer",
    "Message",
  ],
  es: ["ahora", "hace 3 h", "Urgente", "Crítica", "Notificación", "Centro de notificaciones", "Enviar", "Mensaje"],
  ar: ["الآن", "قبل ٣ س", "عاجل", "حرج", "إشعار", "مركز الإشعارات", "إرسال", "رسالة"],
};
const names = ["now", "ago", "time-sensitive", "critical", "placeholder", "center", "send", "message"];

/**
 * {now, ago, "time-sensitive", critical, placeholder, center, send, message} of a locale; English where we do not know.
 */
export function phoneWords(locale = "en") {
  const key = /^zh-(Hant|TW|HK|MO)/.test(locale) ? "zh-Hant" : locale.split("-")[0];
  return Object.fromEntries(names.map((name, index) => [name, (words[key] ?? words.en)[index]]));
}

/** A text of a category, which can have one value per language. */
export function localized(text, locale = "en") {
  if (text === null || text === undefined || typeof text === "string") return text ?? "";
  const parts = locale.split("-");
  const key = parts.map((_, index) => parts.slice(0, parts.length - index).join("-")).find((each) => each in text);
  return text[key ?? "default"] ?? "";
}

export function isRightToLeft(locale = "en") {
  return /^(ar|he|fa|ur)\b/.test(locale);
}
