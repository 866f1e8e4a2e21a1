serial-title = ماذا يفعل التخمين بالزمن نفسه؟
    .nav = التتابعي والتخميني
serial-why = يُشغِّل فك الترميز العادي النموذج الهدف كله مرة لكل رمز. وفي التخمين يقترح مُسوِّد رخيص عدة رموز، وتفحصها كلها تمريرة واحدة للهدف، فتعطي كل تمريرة رمزًا أو أكثر.

serial-lane-plain = فك الترميز العادي
serial-lane-speculative = فك الترميز التخميني
serial-legend-draft = خطوة للمُسوِّد
serial-legend-verify = تمريرة للهدف، على موضع واحد أو على نافذة
serial-kind-token = الهدف، رمز واحد
serial-kind-draft = خطوة المُسوِّد
serial-kind-verify = الهدف، تمريرة واحدة على كل الرموز المُسوَّدة
serial-hover = { $kind }، رقم { $round }: { $length }
serial-unit-ms = مللي ثانية
serial-unit-steps = خطوة هدف

serial-player-play = شغِّل العرض
serial-player-pause = مهلًا
serial-player-back = خطوة إلى الوراء
serial-player-next = خطوة إلى الأمام
serial-player-time = الزمن
serial-player-speed = السرعة
serial-player-lanes = المساران على محور زمن واحد
serial-player-elapsed = الزمن المنقضي
serial-player-plain = الرموز، العادي
serial-player-speculative = الرموز، التخميني
serial-player-speedup = معامل التسريع حتى الآن

serial-real-title = تشغيل حقيقي
serial-real-text = يفك المساران ترميز المُدخَل نفسه بالنموذج الهدف نفسه. لا تُرسَم إلا التمريرات، تمريرات الهدف والمُسوِّد: أما ما يجري بينها (سحب الرموز وحفظ هذا السجل) فمتروك في المسارين كليهما، وكذلك تمريرة الهدف على المُدخَل، ورمزها قائم عند الزمن ٠. وتظهر رموز الدورة معًا حين تنتهي تمريرتها.
serial-verdict-faster = **التخمين هنا أسرع ×{ $speedup }:** الرموز { $tokens } في دورات عددها { $rounds }، و{ $mean } رمز لكل تمريرة للهدف.
serial-verdict-slower = **التخمين هنا خاسر، ×{ $speedup }:** الرموز { $tokens } في دورات عددها { $rounds }، و{ $mean } رمز لكل تمريرة للهدف. خطوات المُسوِّد والتمريرات الأوسع تكلّف أكثر مما توفّر.
serial-verdict-same = **التخمين وفك الترميز العادي يستغرقان هنا الزمن نفسه، ×{ $speedup }:** الرموز { $tokens } في دورات عددها { $rounds }، و{ $mean } رمز لكل تمريرة للهدف.
serial-plain-first = يأتي التشغيل العادي أولًا للمقارنة به، ثم تتبعه الدورات.
serial-fact-alpha = الاختبارات المجتازة ÷ كل الاختبارات
serial-fact-c = ‏c: خطوة المُسوِّد ÷ خطوة الهدف
serial-fact-v = ‏v: تمريرة دورة كاملة ÷ خطوة الهدف
serial-fact-rest = بين التمريرات، غير مرسوم، مللي ثانية للدورة
serial-text-same = كتب المساران الرموز نفسها.
serial-text-differs = يفترق النصان عند الرمز { $index }. وليس هذا خطأً في درجة حرارة فوق ٠: يحفظ التخمين توزيع النص، لا السحب نفسه.
serial-text-parts = يفترق النصان عند الرمز { $index }، ودرجة الحرارة ٠. وهذا لا يكون في الحساب الدقيق: قرّبت التمريرة على عدة مواضع غير ما تقرّبه التمريرة على موضع واحد.

serial-sliders-title = السباق نفسه من أربعة أعداد
serial-sliders-text = تُقبل كل مُسوَّدة باحتمال α أيًّا كان ما قبلها. والأزمنة بخطوات الهدف، فيستغرق فك الترميز العادي خطوة لكل رمز.
serial-alpha = ‏α، القبول
    .help = احتمال قبول رمز مُسوَّد واحد.
serial-gamma = ‏γ، الرموز المُسوَّدة في الدورة
serial-c = ‏c، خطوة المُسوِّد
    .help = زمن خطوة للمُسوِّد ÷ زمن خطوة للهدف.
serial-v = ‏v، تمريرة على ⁦γ + ١⁩ من المواضع
    .help = زمن تلك التمريرة ÷ زمن خطوة للهدف. وتأخذه الورقة ١.
serial-tokens = الرموز
serial-seed = البذرة
serial-sliders-told = هذا السحب: ×{ $drawn }. والصيغة، وهي متوسط الكثير: ×{ $formula }، مع { $expected } رمز في الدورة.
serial-sliders-loss = هنا يخسر التخمين: تكلّف الدورة { $cost } من خطوات الهدف وتعطي { $expected } من الرموز.
serial-sliders-table = هذان المساران في جدول

serial-column-lane = المسار
serial-column-round = الدورة
serial-column-kind = العمل
serial-column-start_seconds = البداية، ثانية
serial-column-end_seconds = النهاية، ثانية
serial-column-start_steps = البداية، خطوة
serial-column-end_steps = النهاية، خطوة
serial-column-tokens = الرموز حتى ذلك الحين

serial-notice-pass = لا تستغرق تمريرة واسعة للهدف إلا أكثر قليلًا من تمريرة لرمز واحد، لأن كلتيهما تقرأ كل الأوزان مرة. وهذا كل الربح.
serial-notice-burst = تأتي الرموز التخمينية دفقات. وأول رمز في الدفقة يتأخر عما كان فك الترميز العادي سيعطيه.
serial-notice-reject = الدورة التي تُرفض أول مُسوَّدة فيها تعطي مع ذلك رمزًا، هو رمز الهدف نفسه، وقد زادت عليها كلفة خطوات المُسوِّد.
serial-try-run = اجعل المنزلقات على ما أظهره التشغيل أعلاه.
serial-try-good = مُسوِّد جيد رخيص: ⁦α = ٠٫٩⁩، ⁦γ = ٦⁩، ⁦c = ٠٫٠٢⁩.
serial-try-poor = مُسوِّد رديء: ⁦α = ٠٫٢⁩، ⁦γ = ٦⁩. يخسر التخمين.
serial-try-wide = آلة يكلّف فيها العرض: ⁦v = ٣⁩ تأكل الربح.

serial-recording = { speculate-recording }
serial-request = { speculate-prompt }
serial-run-prompt = { speculate-prompt }
serial-run-own = { speculate-own }
    .help = { speculate-own.help }
serial-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
serial-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
serial-run-gamma = { speculate-gamma }
serial-run-temperature = { speculate-temperature }
serial-run-length = { speculate-length }
serial-run-seed = { speculate-seed }
