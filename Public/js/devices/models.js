// Names of iPhones by the identifiers that iOS states. A model that is newer than this list shows its identifier.

const iPhones = {
  "12,1": "11",
  "12,3": "11 Pro",
  "12,5": "11 Pro Max",
  "12,8": "SE (2020)",
  "13,1": "12 mini",
  "13,2": "12",
  "13,3": "12 Pro",
  "13,4": "12 Pro Max",
  "14,2": "13 Pro",
  "14,3": "13 Pro Max",
  "14,4": "13 mini",
  "14,5": "13",
  "14,6": "SE (2022)",
  "14,7": "14",
  "14,8": "14 Plus",
  "15,2": "14 Pro",
  "15,3": "14 Pro Max",
  "15,4": "15",
  "15,5": "15 Plus",
  "16,1": "15 Pro",
  "16,2": "15 Pro Max",
  "17,1": "16 Pro",
  "17,2": "16 Pro Max",
  "17,3": "16",
  "17,4": "16 Plus",
  "17,5": "16e",
  "18,1": "17 Pro",
  "18,2": "17 Pro Max",
  "18,3": "17",
  "18,4": "Air",
};

/** "iPhone 16" for "iPhone17,3", "iPad" for an iPad; null without a model. */
export function modelName(model) {
  if (!model) return null;
  const [, family, version] = /^([A-Za-z ]+)(\d+,\d+)$/.exec(model) ?? [];
  if (family === "iPhone") return iPhones[version] ? `iPhone ${iPhones[version]}` : model;
  return family ?? model;
}
