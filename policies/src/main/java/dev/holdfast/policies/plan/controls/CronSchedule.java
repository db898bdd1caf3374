package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cron schedule with the five fields of crontab(5), as in a CronJob: minute, hour, day of month, month, day of week.
 * If both day fields are restricted, a day that matches either of them matches.
 *
 * <p>When clocks are put forward, a start in the skipped hour happens right after it. When clocks are put back, one
 * hour occurs twice. A schedule with {@code *} as its hour then starts in both, any other schedule only in the first.
 *
 * <p>Example: {@code 0 8 * * 1-5} starts at eight o'clock from Monday to Friday.
 */
public final class CronSchedule {
    private static final Map<String, String> SHORTHANDS = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");
    private static final String FIVE_FIELDS = "the five fields minute, hour, day of month, month and day of week";
    private static final String WORDS_OR =
            "must be one of " + SHORTHANDS.keySet().stream().sorted().collect(Collectors.joining(", ")) + " or have ";
    private static final Pattern RANGE =
            Pattern.compile("(?:(?<all>\\*)|(?<from>\\w+)(?:-(?<to>\\w+))?)(?:/(?<step>\\w+))?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,2}");
    private static final int DAYS_OF_WEEK = 7;

    /** The longest time between two starts: 29 February 2096 is followed by 29 February 2104. */
    private static final int LONGEST_WAIT_DAYS = 8 * 366;

    private final String text;
    private final NavigableSet<LocalTime> times;
    private final boolean everyHour;
    private final BitSet daysOfMonth;
    private final BitSet months;
    private final BitSet daysOfWeek;
    private final boolean eitherDay;

    /** @param fields the parsed fields, in the order of crontab(5) */
    private CronSchedule(String text, List<Field> fields) {
        this.text = text;
        BitSet minutes = fields.get(0).values();
        Field hours = fields.get(1);
        Field ofMonth = fields.get(2);
        Field ofWeek = fields.get(4);
        this.everyHour = hours.any();
        this.daysOfMonth = ofMonth.values();
        this.months = fields.get(3).values();
        this.daysOfWeek = ofWeek.values();
        this.eitherDay = !ofMonth.any() && !ofWeek.any();
        this.times = hours.values().stream()
                .boxed()
                .flatMap(hour -> minutes.stream().mapToObj(minute -> LocalTime.of(hour, minute)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * One parsed field.
     *
     * @param values the values that the field matches
     * @param any whether the field is {@code *}
     */
    private record Field(BitSet values, boolean any) {}

    /** One of the five fields, with the range of its values and, for months and days of the week, their names. */
    private enum Unit {
        MINUTE("minute", 0, 59, ""),
        HOUR("hour", 0, 23, ""),
        DAY_OF_MONTH("day of month", 1, 31, ""),
        MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
        DAY_OF_WEEK("day of week", 0, 7, "SUN MON TUE WED THU FRI SAT");

        private final String label;
        private final int first;
        private final int last;
        private final String words;

        Unit(String label, int first, int last, String words) {
            this.label = label;
            this.first = first;
            this.last = last;
            this.words = words;
        }

        /** {@return the parsed field; empty if it is invalid} */
        Optional<Field> read(String written) {
            BitSet values = new BitSet();
            for (String item : written.split(",", -1)) {
                Matcher range = RANGE.matcher(item);
                Optional<BitSet> more = range.matches() ? values(range) : Optional.empty();
                if (more.isEmpty()) {
                    return Optional.empty();
                }
                values.or(more.get());
            }
            return Optional.of(new Field(values, written.equals("*")));
        }

        private Optional<BitSet> values(Matcher range) {
            OptionalInt from = range.group("all") == null ? value(range.group("from")) : OptionalInt.of(first);
            OptionalInt step = range.group("step") == null ? OptionalInt.of(1) : number(range.group("step"));
            boolean open = range.group("all") != null || (range.group("to") == null && range.group("step") != null);
            OptionalInt to = open ? OptionalInt.of(last) : range.group("to") == null ? from : value(range.group("to"));
            if (from.isEmpty() || to.isEmpty() || from.getAsInt() > to.getAsInt() || step.orElse(0) == 0) {
                return Optional.empty();
            }
            BitSet values = new BitSet();
            for (int value = from.getAsInt(); value <= to.getAsInt(); value += step.getAsInt()) {
                values.set(this == DAY_OF_WEEK ? value % DAYS_OF_WEEK : value);
            }
            return Optional.of(values);
        }

        /** {@return the part of an error message that says which values are allowed instead of an invalid field} */
        String allowed(String written) {
            return Stream.of(written.split(",", -1))
                    .map(RANGE::matcher)
                    .filter(this::isBackwards)
                    .findFirst()
                    .map(range -> "no range that runs backwards: write '" + range.group("from") + "-" + last + ","
                            + first + "-" + range.group("to") + "'")
                    .orElseGet(() -> "values from " + first + " to " + last + ", as in '*', '*/2', '1-3' or '1,2'");
        }

        private boolean isBackwards(Matcher range) {
            if (!range.matches() || range.group("to") == null) {
                return false;
            }
            OptionalInt from = value(range.group("from"));
            OptionalInt to = value(range.group("to"));
            return from.isPresent() && to.isPresent() && from.getAsInt() > to.getAsInt();
        }

        private OptionalInt value(String written) {
            int word = List.of(words.split(" ")).indexOf(written.toUpperCase(Locale.ROOT));
            OptionalInt value = word >= 0 ? OptionalInt.of(first + word) : number(written);
            return value.isPresent() && value.getAsInt() >= first && value.getAsInt() <= last
                    ? value
                    : OptionalInt.empty();
        }

        private static OptionalInt number(String written) {
            return NUMBER.matcher(written).matches() ? OptionalInt.of(Integer.parseInt(written)) : OptionalInt.empty();
        }
    }

    /** {@return the schedule, or an error message without its subject: {@code must have ...}} */
    public static ParseResult<CronSchedule> of(String written) {
        String[] parts = SHORTHANDS
                .getOrDefault(written.strip().toLowerCase(Locale.ROOT), written)
                .strip()
                .split("\\s+");
        if (parts.length != Unit.values().length) {
            return new ParseResult.Unusable<>((written.strip().startsWith("@") ? WORDS_OR : "must have ") + FIVE_FIELDS
                    + ", got '" + QuotedText.of(written) + "'");
        }
        List<Field> fields = new ArrayList<>();
        for (Unit unit : Unit.values()) {
            String part = parts[fields.size()];
            Optional<Field> field = unit.read(part);
            if (field.isEmpty()) {
                return new ParseResult.Unusable<>("must have as its " + unit.label + " " + unit.allowed(part)
                        + ", got '" + QuotedText.of(part) + "'");
            }
            fields.add(field.get());
        }
        return new ParseResult.Usable<>(new CronSchedule(written, fields));
    }

    /**
     * {@return the last start that is later than {@code after} and not later than {@code upTo}; empty if there is none}
     */
    Optional<Instant> lastBetween(Instant after, Instant upTo, ZoneId zone) {
        LocalDate first = day(after, zone).minusDays(1);
        for (LocalDate day = day(upTo, zone); !day.isBefore(first); day = day.minusDays(1)) {
            Optional<Instant> last = lastOn(day, upTo, zone).filter(at -> at.isAfter(after));
            if (last.isPresent()) {
                return last;
            }
        }
        return Optional.empty();
    }

    /** {@return the first start after an instant; empty if no day ever matches} */
    public Optional<Instant> next(Instant after, ZoneId zone) {
        LocalDate today = day(after, zone);
        for (int days = 0; days <= LONGEST_WAIT_DAYS; days++) {
            Optional<Instant> next = firstOn(today.plusDays(days), after, zone);
            if (next.isPresent()) {
                return next;
            }
        }
        return Optional.empty();
    }

    private Optional<Instant> lastOn(LocalDate day, Instant upTo, ZoneId zone) {
        if (!matches(day)) {
            return Optional.empty();
        }
        return steady(day, zone)
                .map(offset -> {
                    LocalDateTime local = LocalDateTime.ofInstant(upTo, offset);
                    LocalTime latest = local.toLocalDate().isAfter(day) ? LocalTime.MAX : local.toLocalTime();
                    return Optional.ofNullable(times.floor(latest))
                            .filter(_ -> !local.toLocalDate().isBefore(day))
                            .map(time -> day.atTime(time).toInstant(offset));
                })
                .orElseGet(() ->
                        beginnings(day, zone).filter(at -> !at.isAfter(upTo)).max(Comparator.naturalOrder()));
    }

    private Optional<Instant> firstOn(LocalDate day, Instant after, ZoneId zone) {
        if (!matches(day)) {
            return Optional.empty();
        }
        return steady(day, zone)
                .map(offset -> {
                    LocalDateTime local = LocalDateTime.ofInstant(after, offset);
                    Optional<LocalTime> first = local.toLocalDate().isBefore(day)
                            ? Optional.of(times.first())
                            : Optional.ofNullable(times.higher(local.toLocalTime()));
                    return first.filter(_ -> !local.toLocalDate().isAfter(day))
                            .map(time -> day.atTime(time).toInstant(offset));
                })
                .orElseGet(() ->
                        beginnings(day, zone).filter(at -> at.isAfter(after)).min(Comparator.naturalOrder()));
    }

    /**
     * {@return the UTC offset of a day; empty if the offset changes within two days of it, so that each start needs a
     * look at the zone's rules}
     */
    private static Optional<ZoneOffset> steady(LocalDate day, ZoneId zone) {
        Instant before = day.minusDays(2).atStartOfDay().toInstant(ZoneOffset.UTC);
        Instant behind = day.plusDays(3).atStartOfDay().toInstant(ZoneOffset.UTC);
        boolean steady = Optional.ofNullable(zone.getRules().nextTransition(before))
                .filter(next -> next.getInstant().isBefore(behind))
                .isEmpty();
        return steady ? Optional.of(zone.getRules().getOffset(before)) : Optional.empty();
    }

    private static LocalDate day(Instant instant, ZoneId zone) {
        return LocalDate.ofInstant(instant, zone);
    }

    private Stream<Instant> beginnings(LocalDate day, ZoneId zone) {
        return times.stream().flatMap(time -> instants(day.atTime(time), zone).stream());
    }

    private boolean matches(LocalDate day) {
        boolean ofMonth = daysOfMonth.get(day.getDayOfMonth());
        boolean ofWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % DAYS_OF_WEEK);
        return months.get(day.getMonthValue()) && (eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek);
    }

    private List<Instant> instants(LocalDateTime local, ZoneId zone) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.isEmpty()) {
            ZoneOffsetTransition gap = zone.getRules().getTransition(local);
            return List.of(gap.getInstant());
        }
        List<Instant> instants = new ArrayList<>();
        for (ZoneOffset offset : everyHour ? offsets : offsets.subList(0, 1)) {
            instants.add(local.toInstant(offset));
        }
        return instants;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CronSchedule schedule && text.equals(schedule.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** {@return the schedule as it was written} */
    @Override
    public String toString() {
        return text;
    }
}
