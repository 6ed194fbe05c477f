// Copies the text of a template into a campaign. The campaign does not follow later changes of the template.

/** The text: the `content` of a campaign. */
export function copiedText({ payload, variants, media }) {
  return { payload, ...(variants && { variants }), ...(media && { media }) };
}

/** The text and the settings that the template has, as members of a campaign. */
export function copiedMembers({ payload, variants, media, ...settings }) {
  return { content: copiedText({ payload, variants, media }), ...settings };
}
