/// The names that tools print for the types, codes and values of contact events.
///
/// Linux, `include/uapi/linux/input-event-codes.h`.
enum EvdevNames {
  static let types: [String: Int64] = [
    "EV_SYN": 0, "EV_KEY": 1, "EV_REL": 2, "EV_ABS": 3, "EV_MSC": 4, "EV_SW": 5,
    "EV_LED": 0x11, "EV_SND": 0x12, "EV_REP": 0x14, "EV_FF": 0x15, "EV_PWR": 0x16,
    "EV_FF_STATUS": 0x17,
  ]

  static let codes: [String: Int64] = [
    "SYN_REPORT": 0, "SYN_CONFIG": 1, "SYN_MT_REPORT": 2, "SYN_DROPPED": 3, "BTN_TOUCH": 0x14a,
    "BTN_TOOL_PEN": 0x140, "BTN_TOOL_FINGER": 0x145, "BTN_LEFT": 0x110, "BTN_RIGHT": 0x111,
    "BTN_MIDDLE": 0x112, "KEY_POWER": 116, "KEY_VOLUMEDOWN": 114, "KEY_VOLUMEUP": 115,
    "KEY_BACK": 158, "KEY_HOMEPAGE": 172, "ABS_X": 0, "ABS_Y": 1, "ABS_PRESSURE": 0x18,
    "ABS_MT_SLOT": 0x2f, "ABS_MT_TOUCH_MAJOR": 0x30, "ABS_MT_TOUCH_MINOR": 0x31,
    "ABS_MT_WIDTH_MAJOR": 0x32, "ABS_MT_WIDTH_MINOR": 0x33, "ABS_MT_ORIENTATION": 0x34,
    "ABS_MT_POSITION_X": 0x35, "ABS_MT_POSITION_Y": 0x36, "ABS_MT_TOOL_TYPE": 0x37,
    "ABS_MT_BLOB_ID": 0x38, "ABS_MT_TRACKING_ID": 0x39, "ABS_MT_PRESSURE": 0x3a,
    "ABS_MT_DISTANCE": 0x3b, "ABS_MT_TOOL_X": 0x3c, "ABS_MT_TOOL_Y": 0x3d, "MSC_SCAN": 4,
    "MSC_TIMESTAMP": 5,
  ]

  static let values: [String: Int64] = [
    "DOWN": 1, "UP": 0, "REPEAT": 2, "MT_TOOL_FINGER": 0, "MT_TOOL_PEN": 1, "MT_TOOL_PALM": 2,
  ]
}
