import { crc32, deflateRawSync } from "node:zlib";

/** A PDF written by hand from the format's description (ISO 32000-1, 7.5): one content stream for each page. */
export function pdf(pages: (string | { filter: string; data: Buffer })[]): Buffer {
  const pageIds = pages.map((_, i) => 4 + i * 2);
  const objects: (string | Buffer)[] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages.length}/Kids[${pageIds.map((id) => `${id} 0 R`).join(" ")}]>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  pages.forEach((page, i) => {
    const { filter, data } = typeof page === "string" ? { filter: "", data: Buffer.from(page) } : page;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + i * 2} 0 R>>`,
      Buffer.concat([Buffer.from(`<</Length ${data.length}${filter}>>stream\n`), data, Buffer.from("\nendstream")]),
    );
  });
  const pieces = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let at = 9;
  objects.forEach((object, i) => {
    const piece = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
    offsets.push(at);
    pieces.push(piece);
    at += piece.length;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`;
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

export const line = (text: string, y: number, size = 11) => `BT /F1 ${size} Tf 72 ${y} Td (${text}) Tj ET\n`;

/** A ZIP archive written by hand from the format's description (APPNOTE 4.3), compressed. */
export function zip(parts: Record<string, string | Buffer>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(content.length, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(offset, 42);
    locals.push(head, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

export const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
export const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
export const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of a Word document with this body (ECMA-376). */
export function docx(body: string, more: Record<string, string | Buffer> = {}): Buffer {
  return zip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

export const paragraph = (text: string, style = "") =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
export const row = (...cells: string[]) =>
  `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`;
export const STYLES = {
  "word/styles.xml": `<w:styles ${WORD}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
};
