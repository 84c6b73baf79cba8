export const total: number = "b";
if (total) {}
