"""A producer and a consumer of librdkafka that work until they are killed. Usage: BOOTSTRAP TOPIC"""

import sys

from confluent_kafka import Consumer, Producer, libversion

bootstrap, topic = sys.argv[1:]
print("librdkafka", libversion()[0], flush=True)

producer = Producer({"bootstrap.servers": bootstrap, "client.id": "rd-producer", "linger.ms": 0})
consumer = Consumer(
    {
        "bootstrap.servers": bootstrap,
        "client.id": "rd-consumer",
        "group.id": "rd-readers",
        "auto.offset.reset": "earliest",
    }
)
consumer.subscribe([topic])
while True:
    producer.produce(topic, b"x" * 200)
    producer.poll(0)
    consumer.poll(0.05)
