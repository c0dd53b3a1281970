import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.common.acl.*;
import org.apache.kafka.common.resource.*;
/** Users and rights of the canary, as docs/how-to/security.md lists them: SCRAM's `canary`, and the certificate's `CN=kafka-canary`. */
public class SetupKafka {
    public static void main(String[] a) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", a[0]))) {
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("canary", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), "canary-secret"))).all().get();
            List<AclBinding> acls = new ArrayList<>();
            for (String user : List.of("User:canary", "User:CN=kafka-canary")) {
                for (AclOperation o : List.of(AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS, AclOperation.READ, AclOperation.WRITE, AclOperation.CREATE, AclOperation.ALTER, AclOperation.ALTER_CONFIGS, AclOperation.DELETE))
                    acls.add(new AclBinding(new ResourcePattern(ResourceType.TOPIC, "phasewise-canary", PatternType.LITERAL), new AccessControlEntry(user, "*", o, AclPermissionType.ALLOW)));
                for (AclOperation o : List.of(AclOperation.DESCRIBE, AclOperation.ALTER))
                    acls.add(new AclBinding(new ResourcePattern(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL), new AccessControlEntry(user, "*", o, AclPermissionType.ALLOW)));
            }
            admin.createAcls(acls).all().get();
            // A topic of applications, so that a demotion has something to move.
            try {
                admin.createTopics(List.of(new NewTopic("orders", 6, (short) 2))).all().get();
            } catch (java.util.concurrent.ExecutionException e) {
                if (!(e.getCause() instanceof org.apache.kafka.common.errors.TopicExistsException)) throw e;
            }
            System.out.println(admin.describeCluster().nodes().get() + " " + admin.describeUserScramCredentials().all().get());
        }
    }
}
