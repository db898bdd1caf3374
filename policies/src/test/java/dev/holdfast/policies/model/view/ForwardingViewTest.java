package dev.holdfast.policies.model.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterView;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Views that forward to another view must not fall back on the defaults of {@link ClusterView}, which read all objects.
 */
class ForwardingViewTest {
    @ParameterizedTest
    @ValueSource(classes = {ForwardingView.class, HidingView.class, AddingView.class})
    void everyQuestionIsForwarded(Class<? extends ClusterView> view) {
        List<String> own = List.of(view.getDeclaredMethods()).stream()
                .map(ForwardingViewTest::signature)
                .toList();

        assertThat(List.of(ClusterView.class.getMethods()).stream()
                        .filter(method -> Iterable.class.isAssignableFrom(method.getReturnType()))
                        .filter(method ->
                                view == ForwardingView.class || method.getName().startsWith("pod"))
                        .map(ForwardingViewTest::signature))
                .isNotEmpty()
                .allSatisfy(question -> assertThat(own).contains(question));
    }

    private static String signature(Method method) {
        return method.getName() + List.of(method.getParameterTypes());
    }
}
