// The numbers of conversions, as columns of a table.

import { number, t } from "../i18n.js";

/** `groups` of the API: without values of events, there is no column for them. */
export function conversionColumns(groups) {
  const hasAmounts = groups.some(({ direct_amount: direct, influenced_amount: influenced }) => direct || influenced);
  const column = (id) => ({ id, label: t(`conversion.${id}`), number: true, cell: (each) => number(each[id]) });
  return [
    column("direct"),
    column("influenced"),
    ...(hasAmounts ? [column("direct_amount"), column("influenced_amount")] : []),
  ];
}
