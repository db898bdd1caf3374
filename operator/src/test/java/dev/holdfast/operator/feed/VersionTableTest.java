package dev.holdfast.operator.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of {@link VersionTable}. {@code -Dholdfast.versions.seed=S} sets the seed. */
class VersionTableTest {
    private static final long SEED = Long.getLong("holdfast.versions.seed", 20_261_122L);
    private static final String UID = "8b1f0c8a-52e4-4b7e-9d0c-4a3f1c2d5e6f";

    private final VersionTable versionTable = new VersionTable();

    private String known(String id) {
        byte[] bytes = ("<" + id + ">").getBytes(UTF_8);
        return versionTable.id(bytes, 1, bytes.length - 1);
    }

    @Test
    void anObjectIsNewOnce() {
        assertThat(versionTable.put("a", 7, 1)).isEqualTo(VersionTable.NONE);
        assertThat(versionTable.put("a", 9, 1)).isEqualTo(7);
        assertThat(versionTable.remove("a")).isTrue();
        assertThat(versionTable.remove("a")).isFalse();
        assertThat(versionTable.size()).isZero();
    }

    @Test
    void whatHasAnotherMarkIsFound() {
        versionTable.put("a", 1, 1);
        versionTable.put("b", 2, 1);
        versionTable.put("a", 1, 2);

        assertThat(versionTable.withoutMark(2)).containsExactly("b");
    }

    @Test
    void forgottenVersionsAreOfObjectsThatAreStillThere() {
        versionTable.put("a", 7, 1);

        versionTable.forgetVersions();

        assertThat(versionTable.size()).isEqualTo(1);
        assertThat(versionTable.put("a", 7, 1)).isEqualTo(VersionTable.NONE);
    }

    @Test
    void theBytesOfAKnownIdAreTheStringThatIsKept() {
        versionTable.put(UID, 1, 1);
        versionTable.put(new String(UID.toCharArray()), 2, 1);

        assertThat(known(UID)).isSameAs(UID);
    }

    static Stream<Arguments> others() {
        return Stream.of(
                argumentSet("an unknown id", "8b1f0c8a-52e4-4b7e-9d0c-4a3f1c2d5e60"),
                argumentSet("an id with the same hash", "BB"),
                argumentSet("an id that has a known one as prefix", "Aa-"),
                argumentSet("a prefix of a known id", "A"),
                argumentSet("an id that is not ASCII", "zürich"),
                argumentSet("an empty id", ""));
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherBytesAreReadAsUtf8(String other) {
        Stream.of(UID, "Aa", "zürich").forEach(id -> versionTable.put(id, 1, 1));

        assertThat(known(other)).isEqualTo(other);
    }

    /**
     * Compares the table with a {@link java.util.Map}. The ids have few distinct hashes, so that removals often move
     * other entries.
     */
    @Test
    void itIsWhatAMapIs() {
        System.out.println("versions from seed " + SEED);
        Random random = new Random(SEED);
        List<String> halves = List.of("Aa", "BB", "C#");
        Map<String, Long> expected = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            String id = Stream.generate(() -> halves.get(random.nextInt(halves.size())))
                            .limit(1 + random.nextInt(4))
                            .reduce("", String::concat)
                    + random.nextInt(3);
            if (random.nextInt(100) < (i / 10_000 % 2 == 0 ? 70 : 30)) {
                Long before = expected.put(id, (long) i);
                assertThat(versionTable.put(id, i, 1)).isEqualTo(before == null ? VersionTable.NONE : before);
            } else {
                assertThat(versionTable.remove(id)).isEqualTo(expected.remove(id) != null);
            }
            assertThat(versionTable.size()).isEqualTo(expected.size());
        }
        assertThat(versionTable.withoutMark(0)).containsExactlyInAnyOrderElementsOf(expected.keySet());
    }
}
