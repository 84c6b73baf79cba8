export const alone: number = "c";
