/// The look of a report: the reader's own font sizes, light or dark as the screen is, plain black
/// on white in print.
enum HTMLStyle {
  static let sheet = """
    :root { color-scheme: light dark; --text: #1f2328; --back: #ffffff; --line: #d0d7de;
      --soft: #57606a; --band: #f6f8fa; --link: #0a5c9e; }
    @media screen and (prefers-color-scheme: dark) {
      :root { --text: #e8eaed; --back: #16191d; --line: #3a424b; --soft: #a5adb6;
        --band: #1f242a; --link: #6cb6ff; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1rem 1.5rem 3rem; max-width: 68rem; color: var(--text);
      background: var(--back); font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; }
    h1 { font-size: 1.6rem; overflow-wrap: anywhere; }
    h2 { font-size: 1.3rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line);
      overflow-wrap: anywhere; }
    h3 { font-size: 1.1rem; margin-top: 2rem; overflow-wrap: anywhere; }
    p, li { overflow-wrap: anywhere; max-width: 60rem; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .skip { position: absolute; left: -100rem; }
    .skip:focus { position: static; }
    figure { margin: 1.5rem 0; }
    figure img { max-width: 100%; height: auto; border: 1px solid var(--line); }
    figcaption, footer { color: var(--soft); font-size: 0.9rem; overflow-wrap: anywhere; }
    .table { overflow-x: auto; margin: 1rem 0; }
    table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
    caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
    th, td { padding: 0.2rem 0.7rem; text-align: left; border-bottom: 1px solid var(--line);
      white-space: nowrap; }
    thead th { background: var(--band); }
    tbody th { font-weight: 400; }
    .number { text-align: right; }
    @media print {
      body { max-width: none; padding: 0; font-size: 10pt; }
      nav, .skip { display: none; }
      h2, h3 { break-after: avoid; }
      figure, tr { break-inside: avoid; }
      .table { overflow: visible; }
      table { font-size: 7pt; }
      th, td { padding: 0.1rem 0.3rem; white-space: normal; }
    }
    """
}
