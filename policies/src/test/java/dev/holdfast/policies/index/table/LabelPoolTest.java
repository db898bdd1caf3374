package dev.holdfast.policies.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelPoolTest {
    private static final Labels WEB = Labels.of("app", "web");

    private final LabelPool labelPool = new LabelPool();

    @Test
    void aWordIsKeptOnceAndForgottenWithTheLastLabelsThatHaveIt() {
        Labels first = labelPool.acquire(WEB);
        Labels second = labelPool.acquire(Labels.of("app", String.join("", "w", "eb")));
        assertThat(first).isEqualTo(WEB).isEqualTo(second);
        assertThat(second.value(0)).isSameAs(first.value(0));
        labelPool.release(first);
        assertThat(labelPool.isEmpty()).isFalse();
        labelPool.release(second);
        assertThat(labelPool.isEmpty()).isTrue();
    }

    @Test
    void aKeyIsKeptOnceForAllItsValuesAndForgottenWithTheLastOfThem() {
        Labels web = labelPool.acquire(WEB);
        Labels cache = labelPool.acquire(Labels.of(String.join("", "a", "pp"), "cache"));
        assertThat(cache.key(0)).isSameAs(web.key(0));
        labelPool.release(web);
        Labels queue = labelPool.acquire(Labels.of(String.join("", "ap", "p"), "queue"));
        assertThat(queue.key(0)).isSameAs(cache.key(0));
        labelPool.release(cache);
        labelPool.release(queue);
        assertThat(labelPool.isEmpty()).isTrue();
    }

    @Test
    void labelsWhosePairsHaveOneHashAreToldApart() {
        Labels one = Labels.of("k", "Aa");
        Labels other = Labels.of("k", "BB");
        assertThat(labelPool.acquire(one)).isEqualTo(one);
        assertThat(labelPool.acquire(other)).isEqualTo(other);
        assertThat(labelPool.acquire(Labels.of("k", "Aa"))).isNotEqualTo(other);
    }

    /** This would take minutes if the time for each label grew with the number of labels with the same hash code. */
    @Test
    void thousandsOfLabelsOfOneHashComeAndGo() {
        List<Labels> all = IntStream.range(0, 1 << 14)
                .mapToObj(i -> Labels.of(ofOneHash(i), "x"))
                .toList();
        assertThat(all.stream().map(Labels::hashCode).distinct()).hasSize(1);

        List<Labels> kept = all.stream().map(labelPool::acquire).toList();
        assertThat(kept).isEqualTo(all);
        kept.forEach(labelPool::release);

        assertThat(labelPool.isEmpty()).isTrue();
    }

    private static String ofOneHash(int bits) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < 14; i++) {
            word.append((bits >> i & 1) == 0 ? "Aa" : "BB");
        }
        return word.toString();
    }
}
