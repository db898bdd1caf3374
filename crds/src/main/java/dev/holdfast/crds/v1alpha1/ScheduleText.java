package dev.holdfast.crds.v1alpha1;

/**
 * The CEL rules that check a schedule and its time zone at admission, as far as a pattern can. The CEL rules accept all
 * that the operator accepts, and also ranges that run backwards, dates that never come, and zones that do not exist,
 * which the operator refuses.
 */
final class ScheduleText {
    static final String IS_SCHEDULE_MESSAGE =
            "must have the five fields minute (0-59), hour (0-23), day of month (1-31), month (1-12 or JAN-DEC) and"
                    + " day of week (0-7 or SUN-SAT), as in '0 8 * * 1-5', or be one of @hourly, @daily, @midnight,"
                    + " @weekly, @monthly, @yearly, @annually";

    private static final String MINUTE = "[0-5]?[0-9]";
    private static final String HOUR = "([01]?[0-9]|2[0-3])";
    private static final String DAY_OF_MONTH = "(0?[1-9]|[12][0-9]|3[01])";
    private static final String MONTH = "(0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
    private static final String DAY_OF_WEEK = "(0?[0-7]|sun|mon|tue|wed|thu|fri|sat)";
    private static final String STEP = "(/(0?[1-9]|[1-9][0-9]))?";

    private static final String MINUTES = "(\\*|" + MINUTE + "(-" + MINUTE + ")?)" + STEP;
    private static final String HOURS = "(\\*|" + HOUR + "(-" + HOUR + ")?)" + STEP;
    private static final String DAYS_OF_MONTH = "(\\*|" + DAY_OF_MONTH + "(-" + DAY_OF_MONTH + ")?)" + STEP;
    private static final String MONTHS = "(\\*|" + MONTH + "(-" + MONTH + ")?)" + STEP;
    private static final String DAYS_OF_WEEK = "(\\*|" + DAY_OF_WEEK + "(-" + DAY_OF_WEEK + ")?)" + STEP;

    private static final String FIELDS = MINUTES + "(," + MINUTES + ")*\\s+"
            + HOURS + "(," + HOURS + ")*\\s+"
            + DAYS_OF_MONTH + "(," + DAYS_OF_MONTH + ")*\\s+"
            + MONTHS + "(," + MONTHS + ")*\\s+"
            + DAYS_OF_WEEK + "(," + DAYS_OF_WEEK + ")*";
    private static final String MACROS = "@(hourly|daily|midnight|weekly|monthly|yearly|annually)";

    /** CEL that accepts a schedule. */
    static final String IS_SCHEDULE = "self.matches(r'^\\s*(?i:" + MACROS + "|" + FIELDS + ")\\s*$')";

    /** CEL that accepts a name with the form of an IANA time zone's. */
    static final String IS_TIME_ZONE = "self.matches(r'^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z][A-Za-z0-9_+-]*)*$')";

    static final String IS_TIME_ZONE_MESSAGE = "must be the IANA name of a time zone, such as Europe/Zurich or Etc/UTC";

    private ScheduleText() {}
}
