package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.ResourceQuota;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QuotaDecoderTest {
    private static Message quota(int limits) {
        Message hard = message().part(1, amount("pods"));
        for (int i = 0; i < limits; i++) {
            hard.part(1, amount("count/things-" + i));
        }
        return identity()
                .part(2, hard)
                .part(3, message().part(2, amount("pods")).part(2, amount("count/things-0")));
    }

    private static Message identity() {
        return message()
                .part(1, message().text(1, "q").text(3, "shop").text(5, "u-1").text(6, "12"));
    }

    private static Message amount(String name) {
        return message().text(1, name).part(2, message().text(1, "3"));
    }

    private static ResourceQuota decode(Message quota) throws MalformedException {
        return new QuotaDecoder().decode(new ByteSlice(quota.bytes())).object();
    }

    @Test
    void allLimitsOfUpTo128AreRead() throws MalformedException {
        ResourceQuota quota = decode(quota(127));

        assertThat(quota.isUnread()).isFalse();
        assertThat(quota.hard()).hasSize(128);
        assertThat(quota.used()).containsOnlyKeys("pods", "count/things-0");
    }

    static Stream<Arguments> tooMany() {
        Message long40 = message();
        for (int i = 0; i < 41; i++) {
            long40.part(1, amount("requests.example.com/" + "x".repeat(79) + (10 + i)));
        }
        return Stream.of(
                argumentSet("129 limits", quota(128)),
                argumentSet("41 limits with 4,182 characters", identity().part(2, long40)));
    }

    @ParameterizedTest
    @MethodSource("tooMany")
    void ofMoreLimitsNoneIsRead(Message quota) throws MalformedException {
        assertThat(decode(quota)).isEqualTo(ResourceQuota.unread("u-1", new NamespacedName("shop", "q")));
    }
}
