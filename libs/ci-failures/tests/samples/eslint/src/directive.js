/* eslint no-such-rule: "error" */
export const z = 1;
