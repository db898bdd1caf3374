package dev.holdfast.operator.evict;

import dev.holdfast.operator.evict.FakeEvictionApi.Wire;

/** Recorded replies of kube-apiserver 1.37.1 to evictions; only names are changed. */
final class Replies {
    static final Wire EVICTED = new Wire.Says(201, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}\
        """);

    static final Wire SEVERAL_BUDGETS_AS_201 = new Wire.Says(201, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"This pod has more than one PodDisruptionBudget, which the eviction subresource does not \
        support.","code":500}\
        """);

    static final Wire SEVERAL_BUDGETS = new Wire.Says(500, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"This pod has more than one PodDisruptionBudget, which the eviction subresource does not \
        support.","code":500}\
        """);

    static final Wire OUT_OF_BUDGET = new Wire.Says(429, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"Cannot evict pod as it would violate the pod's disruption budget.",\
        "reason":"TooManyRequests","details":{"causes":[{"reason":"DisruptionBudget",\
        "message":"The disruption budget web needs 2 healthy pods and has 2 currently"}]},"code":429}\
        """);

    static final Wire BUDGET_NOT_LOOKED_AT = new Wire.Says(429, "10", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"Cannot evict pod as it would violate the pod's disruption budget.",\
        "reason":"TooManyRequests","details":{"causes":[{"reason":"DisruptionBudget",\
        "message":"The disruption budget web is still being processed by the server."}],\
        "retryAfterSeconds":10},"code":429}\
        """);

    static final Wire BUDGET_NEGATIVE = new Wire.Says(403, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"poddisruptionbudget.policy \\"web\\" is forbidden: pdb disruptions allowed is negative",\
        "reason":"Forbidden","details":{"name":"web","group":"policy","kind":"poddisruptionbudget"},\
        "code":403}\
        """);

    static final Wire BUDGET_MAP_TOO_BIG = new Wire.Says(403, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"poddisruptionbudget.policy \\"web\\" is forbidden: DisruptedPods map too big - too many \
        evictions not confirmed by PDB controller","reason":"Forbidden","details":{"name":"web",\
        "group":"policy","kind":"poddisruptionbudget","causes":[{"reason":"DisruptionBudget",\
        "message":"The disruption budget web does not allow evicting pods currently"}]},"code":403}\
        """);

    static final Wire THROTTLED = new Wire.Says(429, "1", "Too many requests, please try again later.\n");

    static final Wire THROTTLED_IN_JSON = new Wire.Says(429, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"the server has received too many requests and has asked us to try again later",\
        "reason":"TooManyRequests","details":{"retryAfterSeconds":7},"code":429}\
        """);

    static final Wire GONE = new Wire.Says(404, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"pods \\"web-1\\" not found","reason":"NotFound",\
        "details":{"name":"web-1","kind":"pods"},"code":404}\
        """);

    static final Wire NO_SUCH_NAMESPACE = new Wire.Says(404, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"namespaces \\"shop\\" not found","reason":"NotFound",\
        "details":{"name":"shop","kind":"namespaces"},"code":404}\
        """);

    static final Wire NO_SUCH_API = new Wire.Says(404, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"the server could not find the requested resource","reason":"NotFound",\
        "details":{},"code":404}\
        """);

    static final Wire ANOTHER_UID = new Wire.Says(409, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"Operation cannot be fulfilled on pods \\"web-1\\": the UID in the precondition (u-1) does not \
        match the UID in record (u-2). The object might have been deleted and then recreated",\
        "reason":"Conflict","details":{"name":"web-1","kind":"pods"},"code":409}\
        """);

    static final Wire NAMESPACE_TERMINATING = new Wire.Says(403, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"pods \\"web-1\\" is forbidden: unable to create new content in namespace shop because it is \
        being terminated","reason":"Forbidden","details":{"name":"web-1","kind":"pods",\
        "causes":[{"reason":"NamespaceTerminating","message":"namespace shop is being terminated",\
        "field":"metadata.namespace"}]},"code":403}\
        """);

    static final Wire NOT_ALLOWED = new Wire.Says(403, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"pods \\"web-1\\" is forbidden: User \\"system:serviceaccount:hf:holdfast\\" cannot create \
        resource \\"pods/eviction\\" in API group \\"\\" in the namespace \\"shop\\"","reason":"Forbidden",\
        "details":{"name":"web-1","kind":"pods"},"code":403}\
        """);

    static final Wire DENIED_BY_PLUGIN = new Wire.Says(403, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"pods \\"web-1\\" is forbidden: not today","reason":"Forbidden",\
        "details":{"name":"web-1","kind":"pods"},"code":403}\
        """);

    static final Wire DENIED_BY_POLICY = new Wire.Says(422, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"pods \\"web-1\\" is forbidden: ValidatingAdmissionPolicy 'guard' with binding 'guard' denied \
        request: shop is closed","reason":"Invalid","details":{"name":"web-1","kind":"pods",\
        "causes":[{"message":"ValidatingAdmissionPolicy 'guard' with binding 'guard' denied request: shop is \
        closed"}]},"code":422}\
        """);

    static final Wire NO_DRY_RUN = new Wire.Says(400, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"admission webhook \\"guard.example.com\\" does not support dry run",\
        "reason":"BadRequest","code":400}\
        """);

    static final Wire NAMES_DIFFER = new Wire.Says(400, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"name in URL does not match name in Eviction object","reason":"BadRequest","code":400}\
        """);

    static final Wire WEBHOOK_DOWN = new Wire.Says(500, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"Internal error occurred: failed calling webhook \\"guard.example.com\\": connection refused",\
        "reason":"InternalError","code":500}\
        """);

    static final Wire BUDGET_CONTESTED = new Wire.Says(504, "10", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"Timeout: couldn't update PodDisruptionBudget \\"web\\" due to conflicts","reason":"Timeout",\
        "details":{"retryAfterSeconds":10},"code":504}\
        """);

    static final Wire TIMED_OUT = new Wire.Says(504, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"Timeout: request did not complete within requested timeout - context deadline exceeded",\
        "reason":"Timeout","details":{},"code":504}\
        """);

    static final Wire ETCD_TIMED_OUT = new Wire.Says(500, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"etcdserver: request timed out","code":500}\
        """);

    static final Wire UNAVAILABLE = new Wire.Says(503, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"the server is currently unable to handle the request","reason":"ServiceUnavailable","code":503}\
        """);

    static final Wire FAILURE_AS_201 = new Wire.Says(201, "", """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"etcdserver: request timed out","code":500}\
        """);

    static final Wire PROXY_DOWN = new Wire.Says(502, "", "<html>Bad Gateway</html>");

    private Replies() {}

    /** {@return the reply if an admission webhook refuses the eviction with this status code} */
    static Wire deniedByWebhook(int code) {
        return new Wire.Says(code, "", """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
            "message":"admission webhook \\"guard.example.com\\" denied the request: not today","code":CODE}\
            """.replace("CODE", Integer.toString(code)));
    }
}
