// Reasons in plain words. Those that are not here are shown as they come.

const words = {
  Unregistered: "The app was removed from the phone. It is not tried again.",
  ExpiredToken: "The token has expired. It is not tried again.",
  BadDeviceToken: "The token is not valid, or belongs to the other environment.",
  DeviceTokenNotForTopic: "The token belongs to an app with another bundle id.",
  PayloadTooLarge: "The push is larger than Apple allows.",
  TopicDisallowed: "The .p8 key may not send to this bundle id.",
  BadTopic: "The bundle id is not valid.",
  InvalidProviderToken: "Apple does not accept the .p8 key, its key id or the team id.",
  ExpiredProviderToken: "Apple found the signature too old. Is the server’s clock right?",
  TooManyRequests: "Too many pushes to one phone in a short time.",
  InternalServerError: "Apple had a problem.",
  ServiceUnavailable: "Apple could not take it at the time.",
  "notifications denied": "The person has turned notifications off.",
  "payload too long": "The push came out too long for this person.",
  "device removed": "The phone was removed after the campaign had started.",
  "no credential for this environment": "The app has no .p8 key for the phone’s environment.",
  "worker lost": "The process that was sending it was lost: it may or may not have arrived.",
  "deadline passed": "Apple did not answer in time: it may or may not have arrived.",
  "stream reset": "Apple broke off the request: it may or may not have arrived.",
  "connection lost": "The connection to Apple was lost: it may or may not have arrived.",
};

export function explanation(reason) {
  return Object.hasOwn(words, reason) ? words[reason] : null;
}
