package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.ResourceQuota;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuotaDecoderTest {
    private static Message quota(int limits) {
        Message hard = message().part(1, amount("pods"));
        for (int i = 0; i < limits; i++) {
            hard.part(1, amount("count/things-" + i));
        }
        return message()
                .part(1, message().text(1, "q").text(3, "shop").text(5, "u-1").text(6, "12"))
                .part(2, hard)
                .part(3, message().part(2, amount("pods")).part(2, amount("count/things-0")));
    }

    private static Message amount(String name) {
        return message().text(1, name).part(2, message().text(1, "3"));
    }

    private static ResourceQuota decode(Message quota) throws MalformedException {
        return new QuotaDecoder().decode(new ByteSlice(quota.bytes())).object();
    }

    @Test
    void allLimitsOfUpTo256AreRead() throws MalformedException {
        ResourceQuota quota = decode(quota(255));

        assertThat(quota.hard()).hasSize(256);
        assertThat(quota.used()).containsOnlyKeys("pods", "count/things-0");
    }

    @Test
    void ofMoreLimitsOnlyThoseThatConcernAllPodsAreRead() throws MalformedException {
        ResourceQuota quota = decode(quota(256));

        assertThat(quota.hard()).isEqualTo(Map.of("pods", BigDecimal.valueOf(3)));
        assertThat(quota.used()).isEqualTo(Map.of("pods", BigDecimal.valueOf(3)));
    }
}
