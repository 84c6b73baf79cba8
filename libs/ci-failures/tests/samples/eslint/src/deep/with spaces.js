export const x = 'a line that is much longer than sixty characters are';
const y = 1 == 2;
