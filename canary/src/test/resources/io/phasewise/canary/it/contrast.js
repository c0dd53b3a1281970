// Lists what stands out too little from what is behind it. WCAG 2.2, 1.4.3: 4.5 to 1 for text of this size.
const rgb = text => text.match(/[\d.]+/g).map(Number);
const light = text => {
  const [r, g, b] = rgb(text).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = node => {
  for (; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor;
    if (rgb(colour).length === 3 || rgb(colour)[3] === 1) return colour;
  }
  return 'rgb(255, 255, 255)';
};
const weak = [];
for (const node of document.querySelectorAll('body *')) {
  if (![...node.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !node.checkVisibility()) continue;
  const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
  if ((a + 0.05) / (b + 0.05) < 4.5) weak.push(node.tagName + ' ' + node.className + ' ' + node.textContent.slice(0, 40));
}
return weak;
