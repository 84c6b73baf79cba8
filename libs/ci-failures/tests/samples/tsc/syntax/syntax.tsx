export const x = ;
export function open( {
