extension DocumentSchema {
  static let plot = DocumentSchema(
    "plot", PlotData.schema, "written by 'plot -o FILE.json'",
    .object([
      .schema(PlotData.schema), .text("kind", "the kind of plot"), .text("title", "its title"),
      .text("subtitle", "what is below the title"),
      .text("description", "what it shows, in a sentence"),
      .rows(
        "panels",
        [
          JSONMember("x", .named("axis"), "the horizontal axis"),
          JSONMember("y", .named("axis"), "the vertical axis"),
          .rows(
            "layers",
            [
              .text("shape", "how its rows are drawn"), .text("name", "its name in the key").ifAny,
              .text("stands_for", "the role of its color"),
              .integer("drawn_from", "how many values its rows stand for"),
              .list("columns", .text, "what the numbers in a row are"),
              .list("rows", .list(.either([.number, .null])), "the rows"),
            ], "each layer, the lowest first"),
          .rows(
            "labels",
            [
              .number("x", "where"), .number("y", "where"), .text("text", "what is written there"),
            ], "labels"),
        ], "each panel, the highest first"),
    ]),
    [
      (
        "axis",
        .object([
          .text("label", "what it measures, with its unit"), .number("low", "its lower end"),
          .number("high", "its upper end"),
          .words("reversed", ["yes"], "whether it counts down").ifAny,
          .list("names", .text, "the names along it").ifAny,
        ])
      )
    ])
}
