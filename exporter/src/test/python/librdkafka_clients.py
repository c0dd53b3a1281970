"""A producer and a consumer of librdkafka that work until they are killed, and say every second how often they lost a broker.
Usage: BOOTSTRAP TOPIC PREFIX"""

import json
import sys

from confluent_kafka import Consumer, Producer, libversion

bootstrap, topic, prefix = sys.argv[1:]
lost = {}


def counting(client):
    def take(statistics):
        brokers = json.loads(statistics)["brokers"].values()
        # Bootstrap servers are listed a second time, without an id, and left once the brokers are known.
        lost[client] = sum(broker["disconnects"] for broker in brokers if broker["nodeid"] > 0)
        print("librdkafka", libversion()[0], "lost connections:", sum(lost.values()), flush=True)

    return take


def settings(client, **more):
    return {
        "bootstrap.servers": bootstrap,
        "client.id": prefix + "-" + client,
        "statistics.interval.ms": 1000,
        "stats_cb": counting(client),
        **more,
    }


producer = Producer(settings("producer", **{"linger.ms": 0}))
consumer = Consumer(settings("consumer", **{"group.id": prefix + "-readers", "auto.offset.reset": "latest"}))
consumer.subscribe([topic])
while True:
    producer.produce(topic, b"x" * 200)
    producer.poll(0.05)
    consumer.poll(0.05)
