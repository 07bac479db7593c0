/** A template that is one output of a plain path, such as `{{ order.items[0].id }}`; its group is the path. */
export const ONE_VARIABLE = /^\s*\{\{-?\s*([A-Za-z_]\w*(?:\.\w+|\[\d+\])*)\s*-?\}\}\s*$/;
